import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removeComments } from "../comments/remove-comments-of.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { unlikeTheseComments, unlikeThesePosts } from "../posts/unlike-all.ts";
import { removeAccount } from "./remove-account.ts";

/** Something that an account may have very much of. */
interface DeletionBatch {
  /** Their ids, as an index has them. */
  ids(userId: number): RawBuilder<{ id: number }>;
  /** So many go in one transaction; an account with more is removed in steps. */
  atOnce: number;
  remove(tx: Db, userId: number, ids: RawBuilder<number>): Promise<void>;
}

/** Rows that others have no part in: nothing is counted of them anywhere. */
const rows = (table: string, id: string, of: (userId: number) => RawBuilder<unknown>): DeletionBatch => ({
  ids: (userId) => sql`select ${sql.ref(id)} as id from ${sql.table(table)} where ${of(userId)}`,
  atOnce: 2000,
  async remove(tx, userId, ids) {
    await sql`delete from ${sql.table(table)} where ${of(userId)} and ${sql.ref(id)} in (${ids})`.execute(tx);
  },
});

const own = (userId: number) => sql`user_id = ${userId}`;

const heaps: readonly DeletionBatch[] = [
  {
    ids: (userId) =>
      sql`select id from posts where creator_id in (select id from creators where ${own(userId)})`,
    atOnce: 200,
    remove: (tx, _, ids) => removePosts(tx, ids),
  },
  {
    ids: (userId) =>
      sql`select post_id as id from removed_posts where creator_id in (select id from creators where ${own(userId)})`,
    atOnce: 200,
    remove: (tx, _, ids) => removePosts(tx, ids),
  },
  {
    ids: (userId) => sql`select id from comments where ${own(userId)}`,
    atOnce: 500,
    remove: (tx, _, ids) => removeComments(tx, ids),
  },
  {
    ids: (userId) => sql`select post_id as id from post_likes where ${own(userId)}`,
    atOnce: 1000,
    remove: unlikeThesePosts,
  },
  {
    ids: (userId) => sql`select comment_id as id from comment_likes where ${own(userId)}`,
    atOnce: 1000,
    remove: unlikeTheseComments,
  },
  {
    ids: (userId) => sql`select id from notifications where actor_id = ${userId}`,
    atOnce: 1000,
    remove: (tx, _, ids) => dropNotifications(tx, sql`id in (${ids})`),
  },
  rows("notifications", "id", own),
  rows("activity", "id", own),
  rows("post_saves", "post_id", own),
  rows("dismissals", "post_id", own),
  rows(
    "webhook_deliveries",
    "id",
    (userId) =>
      sql`webhook_id in (select id from webhooks where owner_id = ${userId} or user_id = ${userId})`,
  ),
];

/** Whether an account has more of something than goes in one transaction. */
export async function isLarge(tx: Db, userId: number): Promise<boolean> {
  const beyond = heaps.map(
    ({ ids, atOnce }) => sql`select * from (${ids(userId)} limit 1 offset ${sql.lit(atOnce)}) as beyond`,
  );
  const { rows } = await sql`${sql.join(beyond, sql` union all `)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Removes some of an account, or all where little is left; tells whether that was the last. */
export async function removeSome(tx: Db, userId: number): Promise<boolean> {
  // Of two processes at one account the second waits, and sees what is left.
  await tx.engine.lock(tx, [`removal of ${userId}`]);
  for (const { ids, atOnce, remove } of heaps) {
    const some = (await sql<{ id: number }>`${ids(userId)} limit ${sql.lit(atOnce)}`.execute(tx)).rows;
    if (some.length === 0) continue;
    await remove(tx, userId, sql<number>`${tx.engine.oneOf(some.map(({ id }) => id))}`);
    return false;
  }
  await removeAccount(tx, userId);
  return true;
}
