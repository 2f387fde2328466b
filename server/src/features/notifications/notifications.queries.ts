import type { NotificationType } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

export interface Happening {
  type: NotificationType;
  /** The one concerned; null where it is no account of ours. */
  to: number | null;
  by: number;
  postId: number | null;
  commentId: number | null;
}

/** Tells the one concerned, and never oneself (decisions: small print). */
export async function notify(
  tx: Db,
  { type, to, by, postId, commentId, now }: Happening & { now: number },
): Promise<void> {
  if (to === null || to === by) return;
  // The reader's row first: notices then get their ids in the order in which they come to be seen.
  await addUnread(tx, { to });
  await insert(tx, { type, to, by, postId, commentId, now });
}

/** Takes back the notice of something that was undone. */
export async function retract(tx: Db, { type, to, by, postId, commentId }: Happening): Promise<void> {
  if (to === null || to === by) return;
  const gone = await tx
    .deleteFrom("notifications")
    .where("actor_id", "=", by)
    .where("type", "=", type)
    .where("post_id", postId === null ? "is" : "=", postId)
    .where("comment_id", commentId === null ? "is" : "=", commentId)
    .where("user_id", "=", to)
    .returning("id")
    .executeTakeFirst();
  if (gone) await takeUnread(tx, { to, id: gone.id });
}

/** Deletes notifications, and takes the unread among them off their readers' counts. */
export async function dropNotifications(tx: Db, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    update users set unread = unread - lost.notices
    from (
      select n.user_id, count(*) as notices from notifications n join users u on u.id = n.user_id
      where n.id > u.read_upto and n.id in (select id from notifications where ${which})
      group by n.user_id
    ) as lost
    where users.id = lost.user_id
  `.execute(tx);
  await sql`delete from notifications where ${which}`.execute(tx);
}

const insert = prepared<Happening & { now: number }, never>((db, { type, to, by, postId, commentId, now }) =>
  db
    .insertInto("notifications")
    .values({
      user_id: to as number,
      type,
      actor_id: by,
      post_id: postId,
      comment_id: commentId,
      created_at: now,
    })
    .compile(),
);

const addUnread = prepared<{ to: number }, never>((db, { to }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "+", 1) }))
    .where("id", "=", to)
    .compile(),
);

/** Takes one notification off its reader's count, if it was unread. */
const takeUnread = prepared<{ to: number; id: number }, never>((db, { to, id }) =>
  db
    .updateTable("users")
    .set((eb) => ({ unread: eb("unread", "-", 1) }))
    .where("id", "=", to)
    .where("read_upto", "<", id)
    .compile(),
);
