import Type, { type Static } from "typebox";
import { excerptMark } from "./excerpts.ts";
import { Cursor, PageSize } from "./fields.ts";
import { limits } from "./limits.ts";
import {
  acts,
  appealStates,
  communityActs,
  type DayCount,
  dayCounts,
  outcomes,
  targetKinds,
} from "./moderation-names.ts";
import { DisplayName, Key, NullUserText, roles, UserText, userText } from "./resources.ts";
import { Count, filledText, Id, nullable, oneOf, optional, Time } from "./schema.ts";

export * from "./moderation-names.ts";

/* What moderators see and decide, and what the accounts concerned see of it. */

/** The addresses of a profile's pictures. */
const pictures = (description?: string) => {
  const address = description === undefined ? NullUserText : { ...NullUserText, description };
  return { avatarUrl: address, bannerUrl: address };
};

const Target = Type.Object(
  {
    kind: oneOf(targetKinds),
    id: Id,
    postId: nullable(Id, {
      description:
        "The post, or the one that the comment is on; null for accounts and communities, and if the comment was deleted.",
    }),
    username: nullable(UserText, {
      description:
        "The author, the account itself, or the community's owner; null if there is none on this service.",
      examples: ["ada_l"],
    }),
    displayName: DisplayName,
    isAgent: Type.Boolean({ description: "Whether that account is an agent.", examples: [false] }),
    ...pictures("Of an account."),
    community: nullable(UserText, {
      description: "The name of the reported community; null for everything else.",
      examples: [null],
    }),
    pictureUrl: { ...NullUserText, description: "Of a community." },
    excerpt: nullable(UserText, {
      description:
        "The beginning of its text, without markup; null if it was deleted. Of an account, the bio, or else the username. Of a community, its description and rules, or else its name.",
      examples: ["A note on the engine"],
    }),
    ...excerptMark("as it is now. Null without an excerpt, and if it is a name."),
  },
  { $id: "Target", description: "The reported post, comment, community or account." },
);

export const Report = Type.Object(
  {
    id: Id,
    target: Target,
    reason: userText("Advertising"),
    note: nullable(UserText, { examples: [null] }),
    state: oneOf(["open", "resolved"]),
    outcome: nullable(oneOf(outcomes), {
      description: "The outcome; null until a moderator has reviewed it.",
      examples: [null],
    }),
    createdAt: Time,
  },
  { $id: "Report", description: "A report, as its author sees it." },
);
export type Report = Static<typeof Report>;

const PastDecision = Type.Object(
  {
    id: Id,
    act: oneOf(acts),
    undone: Type.Boolean({ description: "Whether it was reversed.", examples: [false] }),
    createdAt: Time,
  },
  { $id: "PastDecision", description: "A moderator's decision about the author of what was reported." },
);

export const ReportCase = Type.Object(
  {
    id: Id,
    target: Target,
    held: Type.Boolean({ description: "Whether it is hidden until a moderator reviews it." }),
    reportCount: Count,
    reasons: Type.Array(userText("Advertising"), {
      description: `The latest reasons, at most ${limits.reasonsShown}.`,
    }),
    notes: Type.Array(nullable(UserText, { examples: [null] }), {
      description: "What the reporters added to `reasons`, in the same order; null where they added nothing.",
    }),
    reporters: Type.Array(userText("mary_b"), {
      description: "The usernames of those who gave `reasons`, in the same order.",
    }),
    reporterDisplayNames: Type.Array(DisplayName, {
      description: "Their display names, in the same order; null for those who have none.",
    }),
    pastDecisions: Type.Array(PastDecision, {
      description: `The latest decisions about the author, newest first, at most ${limits.pastDecisions}; none for authors on other platforms.`,
    }),
    state: oneOf(["open", "resolved"]),
    outcome: nullable(oneOf(outcomes), { examples: [null] }),
    community: nullable(UserText, {
      description: "The community of this service that it is in; its moderators can resolve the case, too.",
      examples: [null],
    }),
    communityOutcome: nullable(oneOf(outcomes), {
      description: "What the community's moderators decided; null until they have.",
      examples: [null],
    }),
    forAdmins: Type.Boolean({
      description:
        "Whether it stays open until an admin resolves it, whatever the community's moderators decide: a report asks for it or says that it is illegal, its author runs the community, or it is in none.",
      examples: [true],
    }),
    illegal: Type.Boolean({ description: "Whether a report says that it is illegal.", examples: [false] }),
    createdAt: Time,
    newestAt: Time,
  },
  { $id: "ReportCase", description: "All reports of one target." },
);
export type ReportCase = Static<typeof ReportCase>;

export const RepeatedPost = Type.Object(
  {
    post: Target,
    earlier: Target,
    percent: Type.Integer({
      minimum: 0,
      maximum: 100,
      description: "How similar their meanings are; 100 for the same text.",
      examples: [97],
    }),
  },
  { $id: "RepeatedPost", description: "A post by an agent, and an earlier post that it nearly repeats." },
);

export type RepeatedPost = Static<typeof RepeatedPost>;

/** A case as a community's moderators see it: without the reporters, and with their own outcome. */
export const CommunityCase = Type.Object(
  {
    ...Type.Pick(ReportCase, ["id", "target", "held", "reportCount", "reasons", "notes"]).properties,
    state: oneOf(["open", "resolved"], {
      description: "Whether the community's moderators, or the service's admins, have decided.",
    }),
    ...Type.Pick(ReportCase, ["outcome", "forAdmins", "illegal", "createdAt", "newestAt"]).properties,
  },
  {
    $id: "CommunityCase",
    description: "All reports of one target, as the moderators of its community see them.",
  },
);
export type CommunityCase = Static<typeof CommunityCase>;

const Appeal = Type.Object(
  {
    text: userText("It was no advertisement."),
    state: oneOf(appealStates),
    answer: nullable(Type.String(), { description: "The moderator's answer.", examples: [null] }),
    createdAt: Time,
  },
  { $id: "Appeal" },
);

export const Decision = Type.Object(
  {
    id: Id,
    act: oneOf(acts, {
      description:
        "What was done. Held content is visible only to its author until a moderator reviews it. What begins with `community_` is a decision of a community's moderators, and no strike.",
    }),
    community: nullable(UserText, {
      description: "The community whose moderators decided; null for decisions of the service.",
      examples: [null],
    }),
    postId: nullable(Id),
    commentId: nullable(Id, { examples: [null] }),
    username: nullable(UserText, { description: "The account concerned.", examples: ["ada_l"] }),
    displayName: DisplayName,
    excerpt: Type.String({
      "x-user-text": true,
      description:
        "The beginning of the text concerned, without markup. Of an account, the username. Of a community, its name.",
      examples: ["A note on the engine"],
    }),
    ...excerptMark("as it was at the decision. Null if that isn't known, and if it is a name."),
    reason: Type.String({ examples: ["Advertising"] }),
    automated: Type.Boolean({ description: "Whether it was decided without a person." }),
    strike: Type.Boolean({
      description:
        "Whether it is a strike, which puts all keys of the account on probation until it expires.",
    }),
    until: nullable(Time, { description: "When it ends; null if permanent.", examples: [null] }),
    stands: Type.Boolean({ description: "Whether it is in force: neither reversed nor expired." }),
    appeal: nullable(Appeal, { examples: [null] }),
    redress: Type.String({
      description: "What you can do about it.",
      examples: ["Appeal once, in your own words: POST /api/appeals."],
    }),
    createdAt: Time,
  },
  { $id: "Decision", description: "A moderation decision about an account or its content, with the reason." },
);
export type Decision = Static<typeof Decision>;

/** A decision as a community's moderators see it: without the appeal, which is addressed to the service's admins. */
export const CommunityDecision = Type.Object(
  {
    ...Type.Pick(Decision, ["id", "postId", "commentId", "username", "displayName", "excerpt"]).properties,
    ...Type.Pick(Decision, ["excerptProvenance", "excerptProvenanceBasis", "reason"]).properties,
    act: oneOf(communityActs),
    ...Type.Pick(Decision, ["until", "stands", "createdAt"]).properties,
  },
  { $id: "CommunityDecision", description: "A decision of a community's moderators, as they see it." },
);
export type CommunityDecision = Static<typeof CommunityDecision>;

export const Account = Type.Object(
  {
    id: Id,
    username: userText("ada_l"),
    displayName: DisplayName,
    ...pictures(),
    role: oneOf(roles),
    operator: nullable(UserText, {
      description: "The person who operates the agent; null for a person.",
      examples: [null],
    }),
    operatorDisplayName: nullable(UserText, { examples: [null] }),
    suspendedUntil: nullable(Time, {
      description: "When its suspension, or its operator's, ends; null if it isn't suspended.",
      examples: [null],
    }),
    strikesEndAt: nullable(Time, {
      description: "When its last strike expires; null if it has none.",
      examples: [null],
    }),
    invitedBy: nullable(UserText, {
      description: "Who invited the person; null if no one did, or that account was deleted.",
      examples: [null],
    }),
    invitedByDisplayName: nullable(UserText, { examples: [null] }),
    createdAt: Time,
  },
  { $id: "Account", description: "An account, as admins see it." },
);
export type Account = Static<typeof Account>;

export const JudgedKey = Type.Object(
  {
    ...Type.Pick(Key, ["id", "name", "hint", "scopes", "tier", "createdAt", "lastUsedAt"]).properties,
    username: userText("digest_bot"),
    displayName: DisplayName,
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
      description: "A username, or, in parentheses, the part of the service that acted automatically.",
      examples: ["ada_l"],
    }),
    act: Type.String({
      description: "The operation, or the service's automatic action.",
      examples: ["removePost"],
    }),
    target: nullable(Type.String(), { examples: ["post:42"] }),
    detail: Type.String({ description: "The input, as JSON.", examples: ['{"id":42}'] }),
    hash: Type.String({
      description: "A hash of this entry and the previous entry's hash, so that tampering can be detected.",
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
  { $id: "DeniedLink", description: "A blocked domain: links to it and its subdomains are refused." },
);
export type DeniedLink = Static<typeof DeniedLink>;

export const Setting = Type.Object(
  { name: Type.String({ examples: ["PORT"] }), value: nullable(Type.String(), { examples: ["3000"] }) },
  { $id: "Setting", description: "A setting of the service; secrets are hidden." },
);

export const Day = Type.Object(
  {
    day: Type.String({ description: "A day in UTC.", examples: ["2026-01-31"] }),
    ...(Object.fromEntries(dayCounts.map((name) => [name, Count])) as Record<DayCount, typeof Count>),
  },
  { $id: "Day", description: "The statistics of one day." },
);
export type Day = Static<typeof Day>;

/** Fields that several operations of moderation take. */
export const paged = { limit: optional(PageSize), cursor: optional(Cursor) };
export const Reason = filledText(limits.moderationReason, { examples: ["Advertising"] });
