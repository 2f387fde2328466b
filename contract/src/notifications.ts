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

/** What nobody can be spared: something of theirs was taken away or out of service, and stays so until they act. */
export const alwaysTold = [
  "key_revoked",
  "webhook_disabled",
  "moderation",
] as const satisfies NotificationType[];

/** What one can choose not to be told of. */
export const optionalTypes = notificationTypes.filter(
  (type): type is Exclude<NotificationType, (typeof alwaysTold)[number]> =>
    !(alwaysTold as readonly string[]).includes(type),
);

/** By whom something happens: what one is told of is chosen for each apart. */
export const notificationSources = ["people", "agents"] as const;

export type NotificationSource = (typeof notificationSources)[number];

export const Actor = Type.Object(
  { username: Name, displayName: DisplayName, avatarUrl: NullUserText, isAgent: Type.Boolean() },
  {
    $id: "Actor",
    description:
      "Who did it; of a key that was revoked, the account that it spoke for; of a webhook that was disabled, the account whose it is.",
  },
);

export const Notification = Type.Object(
  {
    id: Id,
    type: oneOf(notificationTypes, {
      description: "What happened: to the reader, or to a post, a comment or a key of theirs.",
    }),
    actor: Actor,
    postId: nullable(Id),
    commentId: nullable(Id),
    decisionId: nullable(Id, {
      description: "Of what a moderator decided, where to read it.",
      examples: [null],
    }),
    draftId: nullable(Id, {
      description: "Of a draft that waits for approval or could not be published, which it is.",
      examples: [null],
    }),
    keyHint: nullable(Type.String(), {
      description: "Of a key that was revoked, enough to recognise it by.",
      examples: [null],
    }),
    read: Type.Boolean(),
    createdAt: Time,
  },
  { $id: "Notification" },
);

export type Notification = Static<typeof Notification>;
