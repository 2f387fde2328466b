import type { Notification } from "@tandem/contract/notifications";

/** What happened several times in a row to the same thing, told once. */
export interface NotificationGroup {
  /** The oldest one's: it stays, whatever joins. */
  id: number;
  /** The latest. */
  latest: Notification;
  /** Who did it, each once, the latest first. */
  actors: Notification["actor"][];
  read: boolean;
}

/** What is told together; of all else each stands for itself. */
const groupedTypes: ReadonlySet<Notification["type"]> = new Set([
  "post_like",
  "comment_like",
  "comment",
  "reply",
]);

/** The notices in their order, with those that belong together in one. */
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

/** What is told together has one key: likes of one comment; answers to any of one's comments under a post. */
export function groupKey({ id, type, postId, commentId }: Notification): string {
  if (!groupedTypes.has(type)) return `${id}`;
  return [type, postId, type === "comment_like" && commentId].join();
}

function addToGroup(group: NotificationGroup, { id, actor }: Notification): void {
  group.id = id;
  if (!group.actors.some(({ username }) => username === actor.username)) group.actors.push(actor);
}
