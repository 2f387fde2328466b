import type { Db } from "../storage.ts";

/**
 * Reposts. Their ids are taken from those of posts, so that the feed of followed accounts is in one order. `by_ai`: whether a key or
 * agent reposted.
 */
export async function reposts(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("reposts")
    .addColumn("id", integer, (c) => c.primaryKey())
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("creator_id", integer, (c) => c.notNull().references("creators.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addColumn("by_ai", integer, (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .addUniqueConstraint("reposts_once", ["user_id", "post_id"])
    .execute();
  await db.schema.createIndex("reposts_by_creator").on("reposts").columns(["creator_id", "id"]).execute();
  await db.schema.createIndex("reposts_by_post").on("reposts").columns(["post_id", "id"]).execute();
  for (const column of ["repost_count", "ai_repost_count"])
    await db.schema
      .alterTable("posts")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
}
