import type { Db } from "../storage.ts";

/** The post that an account shows first on its profile. */
export async function pinnedPosts(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("pinned_posts")
    .addColumn("user_id", integer, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.notNull().unique().references("posts.id").onDelete("cascade"))
    .execute();
}
