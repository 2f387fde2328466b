import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Media and their files. A medium without a post or account stays until its files are deleted. Adds three fields to
 * posts: thumbHash, originalUrl and mediaState.
 */
export async function media(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("media")
    .addColumn("id", id)
    .addColumn("post_id", integer, (c) => c.references("posts.id").onDelete("set null"))
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("set null"))
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull())
    .addColumn("claimed_at", integer)
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("media_files")
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("media_id", integer, (c) => c.notNull().references("media.id").onDelete("cascade"))
    .addColumn("variant", "text", (c) => c.notNull())
    .addColumn("bytes", integer, (c) => c.notNull())
    .addColumn("width", integer)
    .addColumn("height", integer)
    .execute();
  await indexes(db);
  // Quotes inside a title or body are escaped as \", so this can't match there.
  await sql`update posts set fragment =
    replace(fragment, ',"provenance":', ',"thumbHash":null,"originalUrl":null,"mediaState":null,"provenance":')`.execute(
    db,
  );
}

async function indexes(db: Db): Promise<void> {
  // Partial: otherwise SQLite would scan one of these, full of nulls, instead of using `media_unowned`.
  for (const column of ["post_id", "user_id"] as const)
    await db.schema
      .createIndex(`media_${column}`)
      .on("media")
      .column(column)
      .where(sql<boolean>`${sql.ref(column)} is not null`)
      .execute();
  await db.schema.createIndex("media_files_media_id").on("media_files").column("media_id").execute();
  await db.schema
    .createIndex("media_unowned")
    .on("media")
    .column("id")
    .where(sql<boolean>`post_id is null and user_id is null`)
    .execute();
  await db.schema
    .createIndex("media_preparing")
    .on("media")
    .column("id")
    .where(sql<boolean>`state = 'preparing'`)
    .execute();
}
