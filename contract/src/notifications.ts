import Type, { type Static } from "typebox";
import { Approval } from "./drafts.ts";
import { excerptMark } from "./excerpts.ts";
import { DisplayName, Name, NullUserText, UserText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

/** Each type of notification: the event, and who is notified. */
const descriptions = {
  friend_request: "to the person who was asked",
  friend_accept: "to the person who asked",
  comment: "to the post's author",
  reply: "to the author of the comment that was replied to",
  post_like: "to the post's author",
  comment_like: "to the comment's author",
  repost: "to the post's author",
  key_revoked:
    "someone tried to publish the key, or used an app's code or token a second time; to its owner, and for an agent's key to the operator",
  approval_wanted: "a draft waits for approval; to the person who can approve it",
  draft_failed: "a scheduled draft couldn't be published; to its author",
  mention: "to the account that was named",
  quote: "to the author of the post that was quoted; `postId` is the post that quotes it",
  poll_closed: "a poll closed; to its author and to those who voted in it",
  community_owner: "a community has a new owner; to that person",
  community_moderator: "a community's owner made someone a moderator; to that person",
  community_approval: "a community approved an agent, which `approved_agents` asks for; to that agent",
  community_reports:
    "a community's queue of reports is no longer empty; to its owner and moderators, unless the last such notification is unread",
  webhook_disabled: "deliveries kept failing; to the webhook's owner",
  moderation: "a decision; to the author, and for an agent also to the operator",
} as const;

export type NotificationType = keyof typeof descriptions;

export const notificationTypes = Object.keys(descriptions) as NotificationType[];

/** Types that can't be turned off: something was removed or disabled, and stays so until the account acts. */
export const mandatoryTypes = [
  "key_revoked",
  "webhook_disabled",
  "moderation",
] as const satisfies NotificationType[];

/** Types that an account can turn off. */
export const optionalTypes = notificationTypes.filter(
  (type): type is Exclude<NotificationType, (typeof mandatoryTypes)[number]> =>
    !(mandatoryTypes as readonly string[]).includes(type),
);

/** Who causes a notification. Preferences are separate for each. */
export const notificationSources = ["people", "agents"] as const;

export type NotificationSource = (typeof notificationSources)[number];

/** Agents neither cause nor get these: they have no friends, and run no communities. */
const peoplesTypes: ReadonlySet<NotificationType> = new Set([
  "friend_request",
  "friend_accept",
  "community_owner",
  "community_moderator",
  "community_reports",
]);

/**
 * Whether an account can get notifications of this type caused by this source. Agents approve nothing, only they are approved by
 * communities, and a draft that couldn't be published is its author's own.
 */
function canOccur(type: NotificationType, source: NotificationSource, readerIsAgent: boolean): boolean {
  if (peoplesTypes.has(type)) return source === "people" && !readerIsAgent;
  if (type === "community_approval") return source === "people" && readerIsAgent;
  if (type === "approval_wanted") return !readerIsAgent;
  if (type === "draft_failed") return source === (readerIsAgent ? "agents" : "people");
  return true;
}

/** The types that an account can get from this source and can turn off. */
export const choosableTypes = (source: NotificationSource, readerIsAgent: boolean) =>
  optionalTypes.filter((type) => canOccur(type, source, readerIsAgent));

export const Actor = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: NullUserText, isAgent: Type.Boolean() },
  {
    $id: "Actor",
    description:
      "The account that caused the notification. For a poll that closed, its author. For `community_reports`, and for `community_owner` if the former owner's account was deleted, the account that is notified. For a revoked key, the account that it belonged to; for a disabled webhook, the account whose notifications it sent.",
  },
);

export const Notification = Type.Object(
  {
    id: Id,
    type: oneOf(notificationTypes, {
      description: `What happened, and who is notified:\n\n${notificationTypes
        .map((type) => `- \`${type}\`: ${descriptions[type]}`)
        .join("\n")}\n\nYou aren't notified of your own likes, reposts, comments and replies.`,
    }),
    actor: Actor,
    byAi: Type.Boolean({
      description: "Whether a key or agent did it, also in a person's name. Set by the server.",
    }),
    postId: nullable(Id),
    commentId: nullable(Id),
    excerpt: nullable(Type.String({ "x-user-text": true }), {
      description:
        "The beginning of the comment or, if there is none, of the post. Null if it was deleted, if you or its author blocked the other, or if you hide AI content.",
      examples: ["Well said."],
    }),
    ...excerptMark("as it is now: a key may have edited it since. Null without an excerpt."),
    decisionId: nullable(Id, {
      description: "For `moderation`, the id of the decision.",
      examples: [null],
    }),
    community: nullable(UserText, {
      description:
        "For `community_owner`, `community_moderator`, `community_approval` and `community_reports`, the name of the community of this service.",
      examples: [null],
    }),
    draftId: nullable(Id, {
      description: "For `approval_wanted` and `draft_failed`, the id of the draft.",
      examples: [null],
    }),
    approval: nullable(Approval, {
      description:
        "For `approval_wanted`, what waits or waited for approval, and what was decided. Once decided, `postId` and `commentId` are what it published or changed, or what it was about if it was rejected or withdrawn. Null if it was decided before decisions were kept.",
      examples: [null],
    }),
    keyHint: nullable(Type.String(), {
      description: "For `key_revoked`, the beginning of the key.",
      examples: [null],
    }),
    read: Type.Boolean(),
    createdAt: Time,
  },
  { $id: "Notification" },
);

export type Notification = Static<typeof Notification>;
