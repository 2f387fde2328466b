import type { Db } from "../storage.ts";

/** Lists posts by when they were posted, which for imported ones isn't when they arrived. */
export async function postsByDate(db: Db): Promise<void> {
  await db.schema.createIndex("posts_posted_at").on("posts").columns(["posted_at", "id"]).execute();
}
