import Type, { type TObject } from "typebox";
import { LINK_PROOF_PATH } from "./documents.ts";
import { limits } from "./limits.ts";
import { nativePlatform, platformNames } from "./origins.ts";
import {
  Count,
  csvOf,
  filledPrivateText,
  Id,
  MAX_ID,
  nullable,
  oneOf,
  optional,
  privateText,
  publicText,
  singleLine,
  webAddress,
} from "./schema.ts";
import { scopeNames } from "./scopes.ts";

/** Fields that more than one operation takes. */

export const byId = { id: Id };

const nameRule = {
  minLength: limits.username.min,
  maxLength: limits.username.max,
  pattern: "^[A-Za-z0-9_.-]+$",
  "x-rule": "can contain only letters A-Z, digits, _ . and -",
  examples: ["ada_l"],
};

/** Letters, digits, `_`, `.` and `-`; unique without regard to case. */
export const Username = Type.String({ ...nameRule, "x-code": "invalid_name" });

/** Whether an account can have this name. */
export function isUsername(text: string): boolean {
  const { minLength, maxLength, pattern } = nameRule;
  return text.length >= minLength && text.length <= maxLength && new RegExp(pattern).test(text);
}

/** The username of an existing account, as opposed to one that is being chosen. */
export const AccountName = Type.String({
  ...nameRule,
  description: "An account's username; case is ignored.",
});

/** A username, or the placeholder for the name of a deleted account. */
export const Correspondent = Type.String({
  ...nameRule,
  pattern: "^([A-Za-z0-9_.-]+|\\[deleted-[0-9]{1,15}\\])$",
  "x-rule": "must be a username or a conversation's `with`",
  description:
    "The other account's username; case is ignored. If that account was deleted, the conversation's `with`.",
});

export const DisplayName = nullable(Type.String({ ...publicText(0, limits.displayName), ...singleLine }), {
  examples: ["Ada"],
});
export const Bio = nullable(publicText(0, limits.bio), { examples: ["Engines and poetry."] });
/** Left out of MCP's tools, whose list must stay short: to verify a link, someone edits a web page anyway. */
export const ProfileLinks = nullable(Type.Array(webAddress(limits.url), { maxItems: limits.profileLinks }), {
  "x-no-tool": true,
  description: `Your pages elsewhere; replaces the list. A link is verified if its page links back to your profile with \`rel="me"\`, or its site's \`${LINK_PROOF_PATH}\` names the profile.`,
  examples: [["https://ada.example/"]],
});
export const Link = webAddress(limits.url, { examples: ["https://example.org/engine"] });
export const Platform = oneOf(platformNames);
/** Of a filter: another name is that of a platform without posts. */
export const AnyPlatform = privateText(0, 100, {
  description: "`native` or the name of an origin platform. For another one, the page is empty.",
  examples: [nativePlatform],
});
/** A single line without leading or trailing whitespace. */
export const Author = Type.String({
  minLength: 1,
  maxLength: 200,
  format: "text",
  pattern: "^\\S(.*\\S)?$",
  "x-rule": "must be a single line without leading or trailing whitespace",
  description: "The author's name on its platform, without leading or trailing whitespace.",
  examples: ["ada_l"],
});

/** The name of something that only its account sees. */
export const PrivateName = filledPrivateText(limits.listName, { description: "Only you see it." });

/** A creator, by name. */
export const creatorInput = { platform: Platform, author: Author };

export const PageSize = Type.Integer({
  minimum: 1,
  maximum: limits.page.max,
  description: `Items per page; ${limits.page.default} by default.`,
  examples: [limits.page.default],
});

export const Cursor = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: "The `nextCursor` of the previous page, unchanged.",
  examples: [41],
});

export const NextCursor = nullable(
  Type.Integer({
    description: "Pass it as `cursor` to get the next page; null on the last page.",
    examples: [41],
  }),
);

/** `posts:write,comments:write`, or a list of scopes; null means the same as leaving it out. */
export const Scopes = Type.Union(
  [
    Type.String({ maxLength: 1000, format: "text" }),
    Type.Array(Type.String({ maxLength: 100, format: "text" }), { maxItems: 100 }),
    Type.Null(),
  ],
  {
    "x-code": "invalid_scope",
    description: `Any of ${scopeNames.join(", ")}; a comma-separated string or a list.`,
    examples: ["posts:write,comments:write"],
  },
);

/** For a new key. */
export const NeedsApproval = Type.Boolean({
  description:
    "Whether the key needs your approval for what others would see, as `PATCH /api/keys` can set later. False by default.",
  examples: [false],
});

export const Email = Type.String({
  minLength: 3,
  maxLength: limits.email,
  format: "email",
  examples: ["ada@example.org"],
});
export const NewPassword = privateText(limits.password.min, limits.password.max, {
  examples: ["correct horse battery"],
});
/** Proves that the owner makes the request, not someone at an unlocked screen. */
export const OwnPassword = optional(
  nullable(privateText(1, limits.password.max), {
    description: `The account's password. If the account has no password, you must have signed in or called \`POST /api/auth/reauthenticate\` in this session within the last ${limits.provenMinutes} minutes.`,
    examples: ["correct horse battery"],
  }),
);
export const Code = privateText(1, 40, {
  description: "A code from the authenticator app, or a recovery code.",
  examples: ["492039"],
});

export const Ok = Type.Literal(true);

/** The response to a like or unlike. */
export const liking = (liked: boolean) => ({ liked: Type.Boolean({ examples: [liked] }), likeCount: Count });

/** Limits a list's items to the named fields, which saves bytes, and tokens for a language model. */
export const fieldsOf = (item: TObject) =>
  optional(
    csvOf(Object.keys(item.properties), {
      "x-no-tool": true,
      description:
        "The fields to return of each item, comma-separated; all by default. Fields that aren't named are absent, even if the schema requires them.",
      examples: [Object.keys(item.properties).slice(0, 2).join(",")],
    }),
  );
