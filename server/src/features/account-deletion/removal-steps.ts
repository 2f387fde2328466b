import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removeComments } from "../comments/remove-comments-of.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { dropMutesOf } from "../people/mutes.ts";
import { deleteVotes } from "../posts/polls.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { removeReposts } from "../posts/reposts.ts";
import { unlikeCommentsOf, unlikePostsOf } from "../posts/unlike-all.ts";
import { removeAccount, removeProducts } from "./remove-account.ts";

/** A kind of row that an account may have very many of. */
interface DeletionBatch {
  /** A query of their ids, along an index. */
  ids(userId: number): RawBuilder<{ id: number }>;
  /** The most that one transaction removes. An account with more is removed in batches. */
  maxRows: number;
  remove(tx: Db, userId: number, ids: RawBuilder<number>): Promise<void>;
}

/** Rows that no counter includes, except those of the account, so that they can simply be deleted. */
const rows = (table: string, id: string, of: (userId: number) => RawBuilder<unknown>): DeletionBatch => ({
  ids: (userId) => sql`select ${sql.ref(id)} as id from ${sql.table(table)} where ${of(userId)}`,
  maxRows: 2000,
  async remove(tx, userId, ids) {
    await sql`delete from ${sql.table(table)} where ${of(userId)} and ${sql.ref(id)} in (${ids})`.execute(tx);
  },
});

const ofUser = (userId: number) => sql`user_id = ${userId}`;
const creatorOfUser = (userId: number) => sql<number>`select id from creators where ${ofUser(userId)}`;

const batches: readonly DeletionBatch[] = [
  {
    ids: (userId) => sql`select id from posts where creator_id in (${creatorOfUser(userId)})`,
    maxRows: 200,
    remove: (tx, _, ids) => removePosts(tx, ids),
  },
  {
    ids: (userId) =>
      sql`select post_id as id from removed_posts where creator_id in (${creatorOfUser(userId)})`,
    maxRows: 200,
    remove: (tx, _, ids) => removePosts(tx, ids),
  },
  {
    ids: (userId) => sql`select id from comments where ${ofUser(userId)}`,
    maxRows: 500,
    remove: (tx, _, ids) => removeComments(tx, ids),
  },
  {
    ids: (userId) => sql`select id from products where ${ofUser(userId)}`,
    maxRows: 500,
    remove: (tx, _, ids) => removeProducts(tx, ids),
  },
  {
    ids: (userId) => sql`select post_id as id from post_likes where ${ofUser(userId)}`,
    maxRows: 1000,
    remove: unlikePostsOf,
  },
  {
    ids: (userId) => sql`select post_id as id from reposts where ${ofUser(userId)}`,
    maxRows: 1000,
    remove: async (tx, userId, ids) => void (await removeReposts(tx, userId, ids)),
  },
  {
    ids: (userId) => sql`select post_id as id from poll_votes where ${ofUser(userId)}`,
    maxRows: 1000,
    remove: deleteVotes,
  },
  {
    ids: (userId) => sql`select comment_id as id from comment_likes where ${ofUser(userId)}`,
    maxRows: 1000,
    remove: unlikeCommentsOf,
  },
  {
    ids: (userId) => sql`select id from notifications where actor_id = ${userId}`,
    maxRows: 1000,
    remove: (tx, _, ids) => dropNotifications(tx, sql`id in (${ids})`),
  },
  {
    ids: (userId) => sql`select user_id as id from mutes where creator_id in (${creatorOfUser(userId)})`,
    maxRows: 1000,
    remove: (tx, userId, ids) => dropMutesOf(tx, creatorOfUser(userId), ids),
  },
  rows("notifications", "id", ofUser),
  rows("activity", "id", ofUser),
  rows("draft_decisions", "draft_id", ofUser),
  rows("collection_posts", "id", ofUser),
  rows("post_saves", "post_id", ofUser),
  rows("dismissals", "post_id", ofUser),
  rows(
    "webhook_deliveries",
    "id",
    (userId) =>
      sql`webhook_id in (select id from webhooks where owner_id = ${userId} or user_id = ${userId})`,
  ),
];

/** Whether an account has more rows of any kind than one transaction removes. */
export async function isLarge(tx: Db, userId: number): Promise<boolean> {
  const beyond = batches.map(
    ({ ids, maxRows }) => sql`select * from (${ids(userId)} limit 1 offset ${sql.lit(maxRows)}) as beyond`,
  );
  const { rows } = await sql`${sql.join(beyond, sql` union all `)} limit 1`.execute(tx);
  return rows.length > 0;
}

/** Removes one batch of the account's rows, or the account itself once none is left. Returns whether the account is gone. */
export async function removeNextBatch(tx: Db, userId: number): Promise<boolean> {
  // If two processes remove the same account, the second waits and continues with what is left.
  await tx.engine.lock(tx, [`removal of ${userId}`]);
  for (const { ids, maxRows, remove } of batches) {
    const batch = (await sql<{ id: number }>`${ids(userId)} limit ${sql.lit(maxRows)}`.execute(tx)).rows;
    if (batch.length === 0) continue;
    await remove(tx, userId, sql<number>`${tx.engine.oneOf(batch.map(({ id }) => id))}`);
    return false;
  }
  await removeAccount(tx, userId);
  return true;
}
