import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { loseInterest } from "./decrement-counters.ts";

/** Takes back every like an account gave, to posts and to comments, in so many statements however many there are. */
export async function unlikeAll(tx: Db, userId: number): Promise<void> {
  await unlikeThesePosts(tx, userId, sql`select post_id from post_likes where user_id = ${userId}`);
  await unlikeTheseComments(tx, userId, sql`select comment_id from comment_likes where user_id = ${userId}`);
}

/** Takes back an account's likes of these posts, all of which it likes. `posts` is a query of ids. */
export async function unlikeThesePosts(tx: Db, userId: number, posts: RawBuilder<unknown>): Promise<void> {
  const these = sql`user_id = ${userId} and post_id in (${posts})`;
  await loseInterest(
    tx,
    sql`select post_id, 1 as likes, by_ai as ai_likes, 0 as comments from post_likes where ${these}`,
  );
  await sql`delete from post_likes where ${these}`.execute(tx);
}

/** The same for comments. */
export async function unlikeTheseComments(
  tx: Db,
  userId: number,
  comments: RawBuilder<unknown>,
): Promise<void> {
  const these = sql`user_id = ${userId} and comment_id in (${comments})`;
  await sql`
    update comments set like_count = like_count - 1, ai_like_count = ai_like_count - taken.by_ai
    from (select comment_id, by_ai from comment_likes where ${these}) as taken
    where id = taken.comment_id
  `.execute(tx);
  await sql`delete from comment_likes where ${these}`.execute(tx);
}
