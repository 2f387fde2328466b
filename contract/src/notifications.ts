import Type, { type Static } from "typebox";
import { DisplayName, Name, NullUserText } from "./resources.ts";
import { Id, nullable, oneOf, Time } from "./schema.ts";

export const notificationTypes = [
  "friend_request",
  "friend_accept",
  "comment",
  "reply",
  "post_like",
  "comment_like",
  "key_revoked",
  "approval_wanted",
  "draft_failed",
  "mention",
  "webhook_disabled",
  "moderation",
] as const;

export type NotificationType = (typeof notificationTypes)[number];

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

export const Actor = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: NullUserText, isAgent: Type.Boolean() },
  {
    $id: "Actor",
    description:
      "The account that caused the notification. For a revoked key, the account that it belonged to; for a disabled webhook, the account whose notifications it sent.",
  },
);

export const Notification = Type.Object(
  {
    id: Id,
    type: oneOf(notificationTypes, {
      description: "What happened, to you or to one of your posts, comments or keys.",
    }),
    actor: Actor,
    byAi: Type.Boolean({
      description: "Whether a key or agent did it, also in a person's name. Set by the server.",
    }),
    postId: nullable(Id),
    commentId: nullable(Id),
    decisionId: nullable(Id, {
      description: "For `moderation`, the id of the decision.",
      examples: [null],
    }),
    draftId: nullable(Id, {
      description: "For `approval_wanted` and `draft_failed`, the id of the draft.",
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
