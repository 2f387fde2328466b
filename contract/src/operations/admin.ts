import Type from "typebox";
import { byId, fieldsOf, NextCursor } from "../fields.ts";
import { limits } from "../limits.ts";
import {
  Account,
  AuditEntry,
  appealStates,
  Day,
  Decision,
  DeniedLink,
  JudgedKey,
  paged,
  profilePictures,
  Reason,
  RepeatedPost,
  ReportCase,
  resolutionNames,
  Setting,
  targetKinds,
} from "../moderation.ts";
import { adminsOnly, operation } from "../operation.ts";
import { roles } from "../resources.ts";
import {
  filledText,
  flag,
  Id,
  nullable,
  oneOf,
  optional,
  privateText,
  publicText,
  TimeInput,
} from "../schema.ts";
import { tierNames } from "../tiers.ts";
import { clearedCount } from "../versions.ts";

const area = "Moderation";
const done = { decision: Decision };
const Until = optional(
  nullable(TimeInput, { description: "When the suspension ends; permanent if omitted or null." }),
);

export const listCases = operation({
  name: "listCases",
  area,
  route: "GET /api/admin/reports",
  access: adminsOnly,
  query: {
    ...paged,
    state: optional(oneOf(["open", "resolved"], { description: "`open` by default." })),
    kind: optional(oneOf(targetKinds, { description: "Only reports of this kind." })),
    forAdmins: optional(
      flag({ description: "Only those that moderators of communities can't resolve on their own." }),
    ),
    fields: fieldsOf(ReportCase),
  },
  response: { cases: Type.Array(ReportCase), nextCursor: NextCursor },
  description: "List reports, grouped into one case per target, latest case first.",
});

export const resolveReports = operation({
  name: "resolveReports",
  area,
  route: "POST /api/admin/reports/resolve",
  access: adminsOnly,
  body: {
    ids: Type.Array(Id, { maxItems: limits.casesAtOnce, examples: [[42]] }),
    action: oneOf(resolutionNames),
    reason: Reason,
    until: Until,
  },
  response: { cases: Type.Array(ReportCase) },
  errors: ["not_found"],
  effect: "overwrites",
  description: `Resolve up to ${limits.casesAtOnce} cases in one call, all or none. \`dismiss\` also makes held content visible again, \`remove\` removes the posts and comments, \`suspend\` suspends their authors, or the reported accounts, \`remove_avatar\` and \`remove_banner\` delete that picture of reported accounts, and \`remove_picture\` and \`close\` delete the picture of reported communities or close them; their owners are notified of the reason, and can appeal. Cases that were already resolved don't change.`,
});

export const listRepeatedPosts = operation({
  name: "listRepeatedPosts",
  area,
  route: "GET /api/admin/repeated-posts",
  access: adminsOnly,
  query: { ...paged, fields: fieldsOf(RepeatedPost) },
  response: { pairs: Type.Array(RepeatedPost), nextCursor: NextCursor },
  description:
    "List posts by agents that mean nearly the same as an earlier post, latest first. Empty unless the server finds posts by meaning.",
});

export const removePost = operation({
  name: "removePost",
  area,
  route: "POST /api/admin/posts/{id}/remove",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason },
  response: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Remove a post with everything attached to it. Its author is notified of the reason. It is a strike on the account: its keys are on probation until the strike expires.",
});

export const restorePost = operation({
  name: "restorePost",
  area,
  route: "POST /api/admin/posts/{id}/restore",
  access: adminsOnly,
  params: byId,
  response: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Restore a removed post as it was, but for its earlier versions, which stay cleared, and withdraw the strike.",
});

export const removePostVersions = operation({
  name: "removePostVersions",
  area,
  route: "DELETE /api/admin/posts/{id}/versions",
  access: adminsOnly,
  params: byId,
  response: clearedCount,
  errors: ["not_found"],
  description:
    "Remove the content of a post's earlier versions, and leave the post itself. The list of its versions says that a moderator did. Removing a post removes them, too.",
});

export const removeCommentVersions = operation({
  name: "removeCommentVersions",
  area,
  route: "DELETE /api/admin/comments/{id}/versions",
  access: adminsOnly,
  params: byId,
  response: clearedCount,
  errors: ["not_found"],
  description: "Remove the content of a comment's earlier versions, and leave the comment itself.",
});

export const removeComment = operation({
  name: "removeComment",
  area,
  route: "POST /api/admin/comments/{id}/remove",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason },
  response: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Remove a comment, leaving an empty placeholder. Its author is notified of the reason. It is a strike on the account: its keys are on probation until the strike expires.",
});

export const restoreComment = operation({
  name: "restoreComment",
  area,
  route: "POST /api/admin/comments/{id}/restore",
  access: adminsOnly,
  params: byId,
  response: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Restore a removed comment as it was, but for its earlier versions, which stay cleared, and withdraw the strike.",
});

export const listAppeals = operation({
  name: "listAppeals",
  area,
  route: "GET /api/admin/appeals",
  access: adminsOnly,
  query: { ...paged, fields: fieldsOf(Decision) },
  response: { decisions: Type.Array(Decision), nextCursor: NextCursor },
  description: `List decisions with an unanswered appeal, latest first. The appeal's \`state\` is \`${appealStates[0]}\`.`,
});

export const answerAppeal = operation({
  name: "answerAppeal",
  area,
  route: "POST /api/admin/appeals/{id}/answer",
  access: adminsOnly,
  params: byId,
  body: { accept: Type.Boolean({ examples: [true] }), answer: filledText(limits.moderationText) },
  response: done,
  errors: ["not_found"],
  description:
    "Answer the appeal against the decision with this id. Accepting it reverses the decision. The person who appealed is notified.",
});

export const listAccounts = operation({
  name: "listAccounts",
  area,
  route: "GET /api/admin/users",
  access: adminsOnly,
  query: {
    ...paged,
    q: optional(
      Type.String({
        minLength: 1,
        maxLength: limits.username.max,
        format: "any-text",
        examples: ["ada"],
        description: "The beginning of the username; case is ignored.",
      }),
    ),
    role: optional(oneOf(roles)),
    suspended: optional(flag({ description: "Only suspended accounts." })),
    fields: fieldsOf(Account),
  },
  response: { users: Type.Array(Account), nextCursor: NextCursor },
  description:
    "List accounts, latest first. With `q`, list the first few whose username begins with it, by name.",
});

export const readAccount = operation({
  name: "readAccount",
  area,
  route: "GET /api/admin/users/{id}",
  access: adminsOnly,
  params: byId,
  response: { user: Account, keys: Type.Array(JudgedKey), decisions: Type.Array(Decision) },
  errors: ["not_found"],
  description: "Get an account with its keys, their tiers, its strikes, and the latest decisions about it.",
});

export const setRole = operation({
  name: "setRole",
  area,
  route: "PATCH /api/admin/users/{id}",
  access: adminsOnly,
  params: byId,
  body: { role: oneOf(["user", "admin"]) },
  response: { user: Account },
  errors: ["not_found", "forbidden", "reauthentication_required"],
  effect: "sets",
  description: `Make a person an admin, or remove the role. You can't change your own role or an agent's. You must have signed in or called \`POST /api/auth/reauthenticate\` within the last ${limits.provenMinutes} minutes.`,
});

export const removeProfilePicture = operation({
  name: "removeProfilePicture",
  area,
  route: "POST /api/admin/users/{id}/remove-picture",
  access: adminsOnly,
  params: byId,
  body: { picture: oneOf(profilePictures), reason: Reason },
  response: done,
  errors: ["not_found"],
  effect: "overwrites",
  description:
    "Delete an account's picture or banner. The account, and an agent's operator, are notified of the reason. It is a strike on the account. Open reports of the account stay open. If an appeal is accepted, the strike is withdrawn; the file is gone, and the account can upload it again.",
});

export const suspendAccount = operation({
  name: "suspendAccount",
  area,
  route: "POST /api/admin/users/{id}/suspend",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason, until: Until },
  response: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description:
    "Suspend an account and its agents from writing, temporarily or permanently. The account can still read, appeal, and delete itself. Its content stays published.",
});

export const liftSuspension = operation({
  name: "liftSuspension",
  area,
  route: "POST /api/admin/users/{id}/lift",
  access: adminsOnly,
  params: byId,
  response: { user: Account },
  errors: ["not_found"],
  effect: "sets",
  description: "Lift an account's suspension. An agent stays suspended as long as its operator is.",
});

export const setKeyTier = operation({
  name: "setKeyTier",
  area,
  route: "PATCH /api/admin/keys/{id}",
  access: adminsOnly,
  params: byId,
  body: { tier: oneOf(tierNames) },
  response: { key: JudgedKey },
  errors: ["not_found"],
  effect: "sets",
  description:
    "Set a key's tier manually, even while the account has a strike. The tier applies until the next strike.",
});

export const listDeniedLinks = operation({
  name: "listDeniedLinks",
  area,
  route: "GET /api/admin/denied-links",
  access: adminsOnly,
  query: { fields: fieldsOf(DeniedLink) },
  response: { hosts: Type.Array(DeniedLink) },
  description: `List blocked domains by name, at most ${limits.longList}.`,
});

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: "^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$",
  "x-rule": "must be a host name as in DNS, such as spam.example",
  examples: ["spam.example"],
});

export const denyLink = operation({
  name: "denyLink",
  area,
  route: "POST /api/admin/denied-links",
  access: adminsOnly,
  body: { host: Host, reason: optional(nullable(publicText(0, limits.moderationReason))) },
  response: { host: DeniedLink },
  effect: "sets",
  description: "Block a domain. From then on, content that links to it or to a subdomain is refused.",
});

export const allowLink = operation({
  name: "allowLink",
  area,
  route: "DELETE /api/admin/denied-links",
  access: adminsOnly,
  body: { host: Host },
  response: { allowed: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  description: "Unblock a domain.",
});

export const listAudit = operation({
  name: "listAudit",
  area,
  route: "GET /api/admin/audit",
  access: adminsOnly,
  query: {
    ...paged,
    fields: fieldsOf(AuditEntry),
    actor: optional(privateText(1, limits.username.max, { examples: ["ada_l"] })),
    target: optional(
      Type.String({
        maxLength: 300,
        format: "any-text",
        examples: ["post:42"],
        description: "Only entries with this `target`.",
      }),
    ),
  },
  response: { entries: Type.Array(AuditEntry), nextCursor: NextCursor },
  description:
    "List what admins did, and what the service did automatically to keep order, latest first. Entries can't be changed or deleted.",
});

export const readSettings = operation({
  name: "readSettings",
  area,
  route: "GET /api/admin/settings",
  access: adminsOnly,
  query: { fields: fieldsOf(Setting) },
  response: { settings: Type.Array(Setting) },
  description: "List the service's settings. Secrets are hidden.",
});

export const readNumbers = operation({
  name: "readNumbers",
  area,
  route: "GET /api/admin/numbers",
  access: adminsOnly,
  query: {
    fields: fieldsOf(Day),
    days: optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.daysOfNumbers,
        examples: [30],
        description: "The number of days, including today; 30 by default.",
      }),
    ),
  },
  response: { days: Type.Array(Day) },
  description: "List statistics of the last days, in UTC, earliest first.",
});
