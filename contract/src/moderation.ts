import Type, { type Static } from "typebox";
import { Cursor, PageSize } from "./fields.ts";
import { limits } from "./limits.ts";
import { acts, appealStates, type DayCount, dayCounts, outcomes, targetKinds } from "./moderation-names.ts";
import { Key, roles } from "./resources.ts";
import { Count, Id, nullable, oneOf, optional, publicLine, Time } from "./schema.ts";

export * from "./moderation-names.ts";

/* What moderators see and decide, and what they tell those concerned. */

const UserText = Type.String({ "x-user-text": true });
const said = (example: string) => Type.String({ "x-user-text": true, examples: [example] });

const Target = Type.Object(
  {
    kind: oneOf(targetKinds),
    id: Id,
    username: nullable(UserText, {
      description: "Whose it is, or who it is; null where that is no account here.",
      examples: ["ada_l"],
    }),
    excerpt: nullable(UserText, {
      description: "How it begins; null where it is gone.",
      examples: ["A note on the engine"],
    }),
  },
  { $id: "Target", description: "What was reported." },
);

export const Report = Type.Object(
  {
    id: Id,
    target: Target,
    reason: said("Advertising"),
    note: nullable(UserText, { examples: [null] }),
    state: oneOf(["open", "resolved"]),
    outcome: nullable(oneOf(outcomes), {
      description: "What came of it; null as long as nobody looked into it.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Report", description: "A report, as whoever made it sees it." },
);
export type Report = Static<typeof Report>;

export const ReportCase = Type.Object(
  {
    id: Id,
    target: Target,
    held: Type.Boolean({ description: "Whether it is held back until somebody looks into it." }),
    reportCount: Count,
    reasons: Type.Array(said("Advertising"), {
      description: `The latest, at most ${limits.reasonsShown}.`,
    }),
    state: oneOf(["open", "resolved"]),
    outcome: nullable(oneOf(outcomes), { examples: [null] }),
    createdAt: Time,
    newestAt: Time,
  },
  { $id: "ReportCase", description: "All reports of one target." },
);
export type ReportCase = Static<typeof ReportCase>;

const Appeal = Type.Object(
  {
    text: said("It was no advertisement."),
    state: oneOf(appealStates),
    answer: nullable(Type.String(), { description: "A moderator's words.", examples: [null] }),
    createdAt: Time,
  },
  { $id: "Appeal" },
);

export const Decision = Type.Object(
  {
    id: Id,
    act: oneOf(acts, {
      description: "What was done. What is held back, nobody else sees until a moderator has looked at it.",
    }),
    postId: nullable(Id),
    commentId: nullable(Id, { examples: [null] }),
    username: nullable(UserText, { description: "Whom it concerns.", examples: ["ada_l"] }),
    excerpt: Type.String({
      "x-user-text": true,
      description: "How what it is about begins.",
      examples: ["A note on the engine"],
    }),
    reason: Type.String({ examples: ["Advertising"] }),
    automated: Type.Boolean({ description: "Whether no person decided it." }),
    strike: Type.Boolean({ description: "Whether it put the key that made it back on probation." }),
    until: nullable(Time, { description: "When it ends; null for good.", examples: [null] }),
    stands: Type.Boolean({ description: "Whether it holds: it was neither undone, nor is its time over." }),
    appeal: nullable(Appeal, { examples: [null] }),
    redress: Type.String({
      description: "What can be done about it.",
      examples: ["Appeal once, in your own words: POST /api/appeals."],
    }),
    createdAt: Time,
  },
  { $id: "Decision", description: "What was decided about an account or what it published, and why." },
);
export type Decision = Static<typeof Decision>;

export const Account = Type.Object(
  {
    id: Id,
    username: said("ada_l"),
    role: oneOf(roles),
    operator: nullable(UserText, { description: "Who answers for an agent.", examples: [null] }),
    suspendedUntil: nullable(Time, {
      description: "Until when it can't write, be it for its operator's sake; null where it can.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Account", description: "An account, as admins see it." },
);
export type Account = Static<typeof Account>;

export const JudgedKey = Type.Object(
  {
    ...Type.Pick(Key, ["id", "name", "hint", "scopes", "tier", "createdAt", "lastUsedAt"]).properties,
    username: said("digest_bot"),
    strikes: Count,
    acceptedWrites: Count,
  },
  { $id: "JudgedKey", description: "A key, as admins see it." },
);
export type JudgedKey = Static<typeof JudgedKey>;

export const AuditEntry = Type.Object(
  {
    id: Id,
    at: Time,
    actor: Type.String({
      description: "Who did it: a username, or in parentheses what did it by itself.",
      examples: ["ada_l"],
    }),
    act: Type.String({ description: "The operation, or what the service did.", examples: ["removePost"] }),
    target: nullable(Type.String(), { examples: ["post:42"] }),
    detail: Type.String({ description: "What was asked for, as JSON.", examples: ['{"id":42}'] }),
    hash: Type.String({
      description: "Of all of this and of the entry before, so that no change goes unnoticed.",
    }),
  },
  { $id: "AuditEntry" },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const DeniedLink = Type.Object(
  {
    host: Type.String({ "x-user-text": true, examples: ["spam.example"] }),
    reason: nullable(UserText, { examples: [null] }),
    createdAt: Time,
  },
  { $id: "DeniedLink", description: "A host that nobody may link to, and all hosts below it." },
);
export type DeniedLink = Static<typeof DeniedLink>;

export const Shown = Type.Object(
  { name: Type.String({ examples: ["PORT"] }), value: nullable(Type.String(), { examples: ["3000"] }) },
  { $id: "Setting", description: "What is configured; secrets are hidden." },
);

export const Day = Type.Object(
  {
    day: Type.String({ description: "In UTC.", examples: ["2026-01-31"] }),
    ...(Object.fromEntries(dayCounts.map((name) => [name, Count])) as Record<DayCount, typeof Count>),
  },
  { $id: "Day", description: "What happened on a day." },
);
export type Day = Static<typeof Day>;

/** Fields that several of its operations take. */
export const paged = { limit: optional(PageSize), cursor: optional(Cursor) };
export const Reason = publicLine(limits.moderationReason, { examples: ["Advertising"] });
