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
  Reason,
  ReportCase,
  Shown,
  targetKinds,
} from "../moderation.ts";
import { adminsOnly, operation } from "../operation.ts";
import { roles } from "../resources.ts";
import { flag, Id, nullable, oneOf, optional, privateText, publicLine, publicText, Time } from "../schema.ts";
import { tierNames } from "../tiers.ts";

const area = "Moderation";
const done = { decision: Decision };
const Until = optional(nullable(Time, { description: "When it ends; for good, if left out or null." }));

export const listCases = operation({
  name: "listCases",
  area,
  route: "GET /api/admin/reports",
  access: adminsOnly,
  query: {
    ...paged,
    state: optional(oneOf(["open", "resolved"], { description: "`open`, if left out." })),
    kind: optional(oneOf(targetKinds, { description: "Only reports of such." })),
    fields: fieldsOf(ReportCase),
  },
  answer: { cases: Type.Array(ReportCase), nextCursor: NextCursor },
  description: "What was reported, all reports of one target together; the latest case first.",
});

export const resolveReports = operation({
  name: "resolveReports",
  area,
  route: "POST /api/admin/reports/resolve",
  access: adminsOnly,
  body: {
    ids: Type.Array(Id, { maxItems: limits.casesAtOnce, examples: [[42]] }),
    action: oneOf(["dismiss", "remove", "suspend"]),
    reason: Reason,
    until: Until,
  },
  answer: { cases: Type.Array(ReportCase) },
  errors: ["not_found"],
  effect: "overwrites",
  description: `Settle up to ${limits.casesAtOnce} cases at once, all or none: dismiss the reports, which also shows again what was held back; remove the posts and comments; or suspend their authors or the accounts. A case that was settled already stays as it is.`,
});

export const removePost = operation({
  name: "removePost",
  area,
  route: "POST /api/admin/posts/{id}/remove",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason },
  answer: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Take a post away from everybody, with all that hangs on it. Its author is told why. If a key made it, that is a strike against the key.",
});

export const restorePost = operation({
  name: "restorePost",
  area,
  route: "POST /api/admin/posts/{id}/restore",
  access: adminsOnly,
  params: byId,
  answer: done,
  errors: ["not_found"],
  effect: "sets",
  description: "Bring a removed post back as it was, and take back the strike.",
});

export const removeComment = operation({
  name: "removeComment",
  area,
  route: "POST /api/admin/comments/{id}/remove",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason },
  answer: done,
  errors: ["not_found"],
  effect: "sets",
  description:
    "Leave of a comment nothing but its empty place. Its author is told why. If a key made it, that is a strike against the key.",
});

export const restoreComment = operation({
  name: "restoreComment",
  area,
  route: "POST /api/admin/comments/{id}/restore",
  access: adminsOnly,
  params: byId,
  answer: done,
  errors: ["not_found"],
  effect: "sets",
  description: "Bring a removed comment back as it was, and take back the strike.",
});

export const listAppeals = operation({
  name: "listAppeals",
  area,
  route: "GET /api/admin/appeals",
  access: adminsOnly,
  query: { ...paged, fields: fieldsOf(Decision) },
  answer: { decisions: Type.Array(Decision), nextCursor: NextCursor },
  description: `Decisions that were appealed and still wait for an answer, the latest first; \`state\` of their appeal is \`${appealStates[0]}\`.`,
});

export const answerAppeal = operation({
  name: "answerAppeal",
  area,
  route: "POST /api/admin/appeals/{id}/answer",
  access: adminsOnly,
  params: byId,
  body: { accept: Type.Boolean({ examples: [true] }), answer: publicLine(limits.moderationText) },
  answer: done,
  errors: ["not_found"],
  description:
    "Answer the appeal of the decision with that id: accepting undoes the decision. Who appealed is told.",
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
        description: "What usernames begin with, without regard to case.",
      }),
    ),
    role: optional(oneOf(roles)),
    suspended: optional(flag({ description: "Only accounts that can't write." })),
    fields: fieldsOf(Account),
  },
  answer: { users: Type.Array(Account), nextCursor: NextCursor },
  description: "Accounts, the latest first; those that begin with `q` by name, the first few.",
});

export const readAccount = operation({
  name: "readAccount",
  area,
  route: "GET /api/admin/users/{id}",
  access: adminsOnly,
  params: byId,
  answer: { user: Account, keys: Type.Array(JudgedKey), decisions: Type.Array(Decision) },
  errors: ["not_found"],
  description: "An account with its keys, their tiers and strikes, and the latest decisions about it.",
});

export const setRole = operation({
  name: "setRole",
  area,
  route: "PATCH /api/admin/users/{id}",
  access: adminsOnly,
  params: byId,
  body: { role: oneOf(["user", "admin"]) },
  answer: { user: Account },
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description: "Make a person an admin, or no longer one. Neither oneself nor an agent.",
});

export const suspendAccount = operation({
  name: "suspendAccount",
  area,
  route: "POST /api/admin/users/{id}/suspend",
  access: adminsOnly,
  params: byId,
  body: { reason: Reason, until: Until },
  answer: done,
  errors: ["not_found", "forbidden"],
  effect: "sets",
  description:
    "Let an account write no more, and its agents neither, for a time or for good. It can still read, appeal, and leave. What it published stays.",
});

export const liftSuspension = operation({
  name: "liftSuspension",
  area,
  route: "POST /api/admin/users/{id}/lift",
  access: adminsOnly,
  params: byId,
  answer: { user: Account },
  errors: ["not_found"],
  effect: "sets",
  description: "Let a suspended account write again. An agent stays suspended for its operator's sake.",
});

export const setKeyTier = operation({
  name: "setKeyTier",
  area,
  route: "PATCH /api/admin/keys/{id}",
  access: adminsOnly,
  params: byId,
  body: { tier: oneOf(tierNames) },
  answer: { key: JudgedKey },
  errors: ["not_found"],
  effect: "sets",
  description: "Set a key's tier by hand.",
});

export const listDeniedLinks = operation({
  name: "listDeniedLinks",
  area,
  route: "GET /api/admin/denied-links",
  access: adminsOnly,
  query: { fields: fieldsOf(DeniedLink) },
  answer: { hosts: Type.Array(DeniedLink) },
  description: `Hosts that nobody may link to, by name; at most ${limits.longList}.`,
});

const Host = Type.String({
  minLength: 1,
  maxLength: 253,
  pattern: "^[A-Za-z0-9_-]+([.][A-Za-z0-9_-]+)*$",
  "x-rule": "takes a host's name, such as spam.example, as DNS has it",
  examples: ["spam.example"],
});

export const denyLink = operation({
  name: "denyLink",
  area,
  route: "POST /api/admin/denied-links",
  access: adminsOnly,
  body: { host: Host, reason: optional(nullable(publicText(0, limits.moderationReason))) },
  answer: { host: DeniedLink },
  effect: "sets",
  description: "Refuse from now on whatever links to that host, or to one below it.",
});

export const allowLink = operation({
  name: "allowLink",
  area,
  route: "DELETE /api/admin/denied-links",
  access: adminsOnly,
  body: { host: Host },
  answer: { allowed: Type.Literal(true) },
  errors: ["not_found"],
  effect: "sets",
  description: "Let a host be linked to again.",
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
        description: "What was acted on, as the entries name it.",
      }),
    ),
  },
  answer: { entries: Type.Array(AuditEntry), nextCursor: NextCursor },
  description:
    "What admins did, and what the service did by itself to keep order; the latest first. Nobody can change or delete an entry.",
});

export const readSettings = operation({
  name: "readSettings",
  area,
  route: "GET /api/admin/settings",
  access: adminsOnly,
  query: { fields: fieldsOf(Shown) },
  answer: { settings: Type.Array(Shown) },
  description: "How the service is configured, secrets hidden.",
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
        description: "How many days, today included; 30 if left out.",
      }),
    ),
  },
  answer: { days: Type.Array(Day) },
  description: "What happened on each of the last days, in UTC, the earliest first.",
});
