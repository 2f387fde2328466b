import type { Notification } from "@tandem/contract/notifications";

/** Consecutive notifications about the same thing, shown as one. */
export interface NotificationGroup {
  /** The oldest notification's id, which doesn't change when others join. */
  id: number;
  /** The latest notification. */
  latest: Notification;
  /** Everyone who did it, without duplicates, latest first. */
  actors: Notification["actor"][];
  read: boolean;
}

/** The types that are grouped. */
const groupedTypes: ReadonlySet<Notification["type"]> = new Set([
  "post_like",
  "comment_like",
  "comment",
  "reply",
]);

/** Groups consecutive notifications with the same key and read state. */
export function groupNotifications(notifications: readonly Notification[]): NotificationGroup[] {
  const groups: NotificationGroup[] = [];
  for (const notification of notifications) {
    const last = groups.at(-1);
    if (last && belongsTo(last, notification)) addToGroup(last, notification);
    else
      groups.push({
        id: notification.id,
        latest: notification,
        actors: [notification.actor],
        read: notification.read,
      });
  }
  return groups;
}

const belongsTo = ({ latest, read }: NotificationGroup, notification: Notification): boolean =>
  read === notification.read && groupKey(latest) === groupKey(notification);

/** The key of a group: likes of one comment; or replies to any of the reader's comments under one post. */
export function groupKey({
  id,
  type,
  postId,
  commentId,
}: Pick<Notification, "id" | "type" | "postId" | "commentId">): string {
  if (!groupedTypes.has(type)) return `${id}`;
  return [type, postId, type === "comment_like" && commentId].join();
}

function addToGroup(group: NotificationGroup, { id, actor }: Notification): void {
  group.id = id;
  if (!group.actors.some(({ username }) => username === actor.username)) group.actors.push(actor);
}
