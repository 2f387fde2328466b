import type { Db } from "../storage.ts";

/** Lists a post's comments by likes. */
export async function commentsByLikes(db: Db): Promise<void> {
  await db.schema
    .createIndex("comments_post_id_like_count")
    .on("comments")
    .columns(["post_id", "like_count desc", "id"])
    .execute();
}
