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

function together({ latest, read }: Group, notice: Notification): boolean {
  const same = latest.type === notice.type && latest.postId === notice.postId && read === notice.read;
  // Likes of one comment; answers to any of one's comments under a post.
  const target = notice.type !== "comment_like" || latest.commentId === notice.commentId;
  return gathered.has(notice.type) && same && target;
}

function join(group: Group, { id, actor }: Notification): void {
  group.id = id;
  if (!group.actors.some(({ username }) => username === actor.username)) group.actors.push(actor);
}
