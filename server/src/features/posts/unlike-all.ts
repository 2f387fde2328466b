import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { decrementCounters } from "./decrement-counters.ts";

/** Deletes every like by an account, of posts and comments, in a fixed number of statements. */
export async function unlikeAll(tx: Db, userId: number): Promise<void> {
  await unlikePostsOf(tx, userId, sql`select post_id from post_likes where user_id = ${userId}`);
  await unlikeCommentsOf(tx, userId, sql`select comment_id from comment_likes where user_id = ${userId}`);
}

/** Deletes an account's likes of these posts. `posts` is a query of ids of posts that the account likes. */
export async function unlikePostsOf(tx: Db, userId: number, posts: RawBuilder<unknown>): Promise<void> {
  const matching = sql`user_id = ${userId} and post_id in (${posts})`;
  await decrementCounters(
    tx,
    sql`select post_id, 1 as likes, by_ai as ai_likes, 0 as comments from post_likes where ${matching}`,
  );
  await sql`delete from post_likes where ${matching}`.execute(tx);
}

/** Deletes an account's likes of these comments. `comments` is a query of ids of comments that the account likes. */
export async function unlikeCommentsOf(tx: Db, userId: number, comments: RawBuilder<unknown>): Promise<void> {
  const matching = sql`user_id = ${userId} and comment_id in (${comments})`;
  await sql`
    update comments set like_count = like_count - 1, ai_like_count = ai_like_count - deleted.by_ai
    from (select comment_id, by_ai from comment_likes where ${matching}) as deleted
    where id = deleted.comment_id
  `.execute(tx);
  await sql`delete from comment_likes where ${matching}`.execute(tx);
}
