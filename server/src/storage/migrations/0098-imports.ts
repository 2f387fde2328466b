import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Imports of people's exports from other platforms. Their posts are `archived`: feeds leave them out unless they are asked for, so
 * each creator has an index of the others, and one of these.
 */
export async function imports(db: Db): Promise<void> {
  const { id, integer, clustered } = db.engine.types;
  await db.schema
    .createTable("imports")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("parts", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("problem", "text")
    .addColumn("file", "text")
    .addColumn("done", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("total", integer)
    .addColumn("counts", "text", (c) => c.notNull())
    .addColumn("missing", "text", (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .addColumn("finished_at", integer)
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer)
    .execute();
  await db.schema.createIndex("imports_user").on("imports").columns(["user_id", "id"]).execute();
  for (const column of ["due_at", "file"])
    await db.schema
      .createIndex(`imports_${column}`)
      .on("imports")
      .columns([column, "id"])
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute();
  await db.schema
    .createTable("imported_posts")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("post_id", integer, (c) => c.notNull().references("posts.id").onDelete("cascade"))
    .addPrimaryKeyConstraint("imported_posts_key", ["user_id", "key"])
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("imported_posts_post").on("imported_posts").column("post_id").execute();
  await db.schema
    .alterTable("posts")
    .addColumn("archived", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  for (const [name, archived] of [
    ["posts_creator_current", 0],
    ["posts_creator_archived", 1],
  ] as const)
    await db.schema
      .createIndex(name)
      .on("posts")
      .columns(["creator_id", "id"])
      .where(sql<boolean>`archived = ${sql.lit(archived)}`)
      .execute();
}
