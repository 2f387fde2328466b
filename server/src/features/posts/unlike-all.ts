import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { lockPost, setInterest } from "./posts.queries.ts";

/** Takes back every like an account gave, to posts and to comments. */
export async function unlikeAll(tx: Db, userId: number): Promise<void> {
  const liked = await tx.selectFrom("post_likes").select("post_id").where("user_id", "=", userId).execute();
  for (const { post_id } of liked) {
    const post = await lockPost(tx, post_id);
    await setInterest(tx, { ...post, like_count: post.like_count - 1 });
    await addToTotal(tx, post.creator_id, "like_count", -1);
  }
  await tx.deleteFrom("post_likes").where("user_id", "=", userId).execute();
  await sql`
    update comments set like_count = like_count - 1
    where id in (select comment_id from comment_likes where user_id = ${userId})
  `.execute(tx);
  await tx.deleteFrom("comment_likes").where("user_id", "=", userId).execute();
}
