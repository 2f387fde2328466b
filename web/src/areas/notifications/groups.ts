import type { Notification } from "@tandem/contract/notifications";

/** What happened several times in a row to the same thing, told once. */
export interface Group {
  /** The oldest one's: it stays, whatever joins. */
  id: number;
  /** The latest. */
  latest: Notification;
  /** Who did it, each once, the latest first. */
  actors: Notification["actor"][];
  read: boolean;
}

/** What is told together; of all else each stands for itself. */
const gathered: ReadonlySet<Notification["type"]> = new Set([
  "post_like",
  "comment_like",
  "comment",
  "reply",
]);

/** The notices in their order, with those that belong together in one. */
export function groupsOf(notices: readonly Notification[]): Group[] {
  const groups: Group[] = [];
  for (const notice of notices) {
    const last = groups.at(-1);
    if (last && together(last, notice)) join(last, notice);
    else groups.push({ id: notice.id, latest: notice, actors: [notice.actor], read: notice.read });
  }
  return groups;
}

const together = ({ latest, read }: Group, notice: Notification): boolean =>
  read === notice.read && keyOf(latest) === keyOf(notice);

/** What is told together has one key: likes of one comment; answers to any of one's comments under a post. */
export function keyOf({ id, type, postId, commentId }: Notification): string {
  if (!gathered.has(type)) return `${id}`;
  return [type, postId, type === "comment_like" && commentId].join();
}

function join(group: Group, { id, actor }: Notification): void {
  group.id = id;
  if (!group.actors.some(({ username }) => username === actor.username)) group.actors.push(actor);
}
