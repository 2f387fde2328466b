import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { loseInterest } from "./lose-interest.ts";

/** Takes back every like an account gave, to posts and to comments, in so many statements however many there are. */
export async function unlikeAll(tx: Db, userId: number): Promise<void> {
  await loseInterest(
    tx,
    sql`select post_id, 1 as likes, 0 as comments from post_likes where user_id = ${userId}`,
  );
  await tx.deleteFrom("post_likes").where("user_id", "=", userId).execute();
  await sql`
    update comments set like_count = like_count - 1
    where id in (select comment_id from comment_likes where user_id = ${userId})
  `.execute(tx);
  await tx.deleteFrom("comment_likes").where("user_id", "=", userId).execute();
}
