import Type, { type TObject } from "typebox";
import { limits } from "./limits.ts";
import { platformNames } from "./origins.ts";
import {
  Count,
  csvOf,
  Id,
  MAX_ID,
  nullable,
  oneOf,
  optional,
  privateText,
  publicText,
  webAddress,
} from "./schema.ts";
import { scopeNames } from "./scopes.ts";

/** Fields that more than one operation takes. */

export const byId = { id: Id };

const nameRule = {
  minLength: limits.username.min,
  maxLength: limits.username.max,
  pattern: "^[A-Za-z0-9_.-]+$",
  "x-rule": "takes letters from A to Z, digits, _, . and - only",
  examples: ["ada_l"],
};

/** Letters, digits, `_`, `.` and `-`; unique without regard to case. */
export const Username = Type.String({ ...nameRule, "x-code": "invalid_name" });

/** The name of an account that there is, rather than one to be chosen. */
export const AccountName = Type.String({ ...nameRule, description: "An account's username, in any case." });

/** The same, or what stands for the name of an account that is gone. */
export const Correspondent = Type.String({
  ...nameRule,
  pattern: "^([A-Za-z0-9_.-]+|\\[deleted-[0-9]{1,15}\\])$",
  "x-rule": "is a username, or a conversation's `with`",
  description: "The other's username, in any case; or the conversation's `with`, where the other is gone.",
});

export const DisplayName = nullable(publicText(0, limits.displayName), { examples: ["Ada"] });
export const Bio = nullable(publicText(0, limits.bio), { examples: ["Engines and poetry."] });
export const Link = webAddress(limits.url, { examples: ["https://example.org/engine"] });
export const Platform = oneOf(platformNames);
/** On one line, without blanks around it. */
export const Author = Type.String({
  minLength: 1,
  maxLength: 200,
  format: "text",
  pattern: "^\\S(.*\\S)?$",
  "x-rule": "stands on one line, without blanks around it",
  description: "The author's name on its platform, without blanks around it.",
  examples: ["ada_l"],
});

export const PageSize = Type.Integer({
  minimum: 1,
  maximum: limits.page.max,
  description: `Items on the page; ${limits.page.default} if left out.`,
  examples: [limits.page.default],
});

export const Cursor = Type.Integer({
  minimum: 0,
  maximum: MAX_ID,
  description: "The `nextCursor` of the page before, passed back as it came.",
  examples: [41],
});

export const NextCursor = nullable(
  Type.Integer({
    description: "What to pass as `cursor` for the page that follows; null when none does.",
    examples: [41],
  }),
);

/** `posts:write,comments:write` or a list of the same; null is as good as leaving it out. */
export const Scopes = Type.Union(
  [
    Type.String({ maxLength: 1000, format: "text" }),
    Type.Array(Type.String({ maxLength: 100, format: "text" }), { maxItems: 100 }),
    Type.Null(),
  ],
  {
    "x-code": "invalid_scope",
    description: `Of ${scopeNames.join(", ")}; comma-separated or a list.`,
    examples: ["posts:write,comments:write"],
  },
);

export const Email = Type.String({
  minLength: 3,
  maxLength: limits.email,
  format: "email",
  examples: ["ada@example.org"],
});
export const NewPassword = privateText(limits.password.min, limits.password.max, {
  examples: ["correct horse battery"],
});
/** What proves that it is the owner who asks, and not whoever found the screen unlocked. */
export const OwnPassword = optional(
  nullable(privateText(1, limits.password.max), {
    description: `The account's password. An account without one needs a session that began within the last ${limits.freshMinutes} minutes.`,
    examples: ["correct horse battery"],
  }),
);
export const Code = privateText(1, 40, {
  description: "Of the authenticator, or a recovery code.",
  examples: ["492039"],
});

export const Ok = Type.Literal(true);

/** How a like, or the undoing of one, is answered. */
export const liking = (liked: boolean) => ({ liked: Type.Boolean({ examples: [liked] }), likeCount: Count });

/** Of a list's items only the named fields: what isn't shown costs no bytes, and a reader of text no tokens. */
export const fieldsOf = (item: TObject) =>
  optional(
    csvOf(Object.keys(item.properties), {
      "x-no-tool": true,
      description:
        "Only these fields of each item, comma-separated; all, if left out. Items then lack what isn't named, though it is required else.",
      examples: [Object.keys(item.properties).slice(0, 2).join(",")],
    }),
  );
