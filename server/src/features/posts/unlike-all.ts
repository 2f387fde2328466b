import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { loseInterest } from "./lose-interest.ts";

/** Takes back every like an account gave, to posts and to comments, in so many statements however many there are. */
export async function unlikeAll(tx: Db, userId: number): Promise<void> {
  await loseInterest(
    tx,
    sql`select post_id, 1 as likes, by_ai as ai_likes, 0 as comments from post_likes where user_id = ${userId}`,
  );
  await tx.deleteFrom("post_likes").where("user_id", "=", userId).execute();
  await sql`
    update comments set like_count = like_count - 1, ai_like_count = ai_like_count - taken.by_ai
    from (select comment_id, by_ai from comment_likes where user_id = ${userId}) as taken
    where id = taken.comment_id
  `.execute(tx);
  await tx.deleteFrom("comment_likes").where("user_id", "=", userId).execute();
}
