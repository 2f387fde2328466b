import type { Db } from "../storage.ts";

/**
 * Collections of saved posts. Their rows name the account, too, to find a post in all of its collections. Their `id`, from the numbers of
 * collections, says which was added later. It isn't the key, because planners then scan the rows of all collections for one.
 */
export async function collections(db: Db): Promise<void> {
  const { id, integer, clustered } = db.engine.types;
  await db.schema
    .createTable("collections")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("post_count", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("collections_of").on("collections").columns(["user_id", "id"]).execute();
  await db.schema
    .createTable("collection_posts")
    .addColumn("collection_id", integer, (c) => c.notNull().references("collections.id").onDelete("cascade"))
    .addColumn("id", integer, (c) => c.notNull())
    .addColumn("post_id", integer, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("collection_posts_pk", ["collection_id", "id"])
    .addUniqueConstraint("collection_posts_once", ["collection_id", "post_id"])
    .modifyEnd(clustered)
    .execute();
  for (const [name, columns] of [
    ["collection_posts_post", ["post_id", "user_id"]],
    ["collection_posts_user", ["user_id", "id"]],
  ] as const)
    await db.schema
      .createIndex(name)
      .on("collection_posts")
      .columns([...columns])
      .execute();
}
