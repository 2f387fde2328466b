import { DAY } from "@tandem/contract/durations";
import type { Notification } from "@tandem/contract/notifications";

/** Notifications about the same thing, shown as one at the place of the latest. */
export interface NotificationGroup {
  /** The oldest notification's id, which doesn't change when others join. */
  id: number;
  /** The ids of all of them. */
  ids: number[];
  /** The latest notification. */
  latest: Notification;
  /** Everyone who did it, without duplicates, latest first. */
  actors: Notification["actor"][];
  read: boolean;
}

/** Types with nothing but an actor to show: they are grouped even if something else happened in between. */
const likes: ReadonlySet<Notification["type"]> = new Set(["post_like", "comment_like", "repost"]);

/** The types that are grouped. The others only join the notification that follows them immediately. */
const groupedTypes: ReadonlySet<Notification["type"]> = new Set([...likes, "comment", "reply"]);

/**
 * Groups notifications with the same key and read state. The groups are in the order of their latest notification, and
 * those that others may join from further down cover at most a day, so that a line's time holds for all of it.
 */
export function groupNotifications(notifications: readonly Notification[]): NotificationGroup[] {
  const groups: NotificationGroup[] = [];
  /** The last group of likes with each key. */
  const likesByKey = new Map<string, NotificationGroup>();
  for (const notification of notifications) {
    const key = groupKey(notification);
    const isLike = likes.has(notification.type);
    const group = isLike ? likesByKey.get(key) : groups.at(-1);
    if (group && belongsTo(group, notification, isLike)) addToGroup(group, notification);
    else {
      const { id, actor, read } = notification;
      const added = { id, ids: [id], latest: notification, actors: [actor], read };
      groups.push(added);
      if (isLike) likesByKey.set(key, added);
    }
  }
  return groups;
}

function belongsTo(
  { latest, read }: NotificationGroup,
  notification: Notification,
  isLike: boolean,
): boolean {
  const isSame = read === notification.read && groupKey(latest) === groupKey(notification);
  return isSame && (!isLike || Date.parse(latest.createdAt) - Date.parse(notification.createdAt) < DAY);
}

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
  group.ids.push(id);
  if (!group.actors.some(({ username }) => username === actor.username)) group.actors.push(actor);
}
