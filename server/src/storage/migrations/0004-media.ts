import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Media, and the files that each is made of. What belongs neither to a post nor to an account any more is kept until
 * its files are gone. Posts gain three facts.
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
  // A quote inside a text is written \", so this stands in no title or body.
  await sql`update posts set fragment =
    replace(fragment, ',"provenance":', ',"thumbHash":null,"originalUrl":null,"mediaState":null,"provenance":')`.execute(
    db,
  );
}

async function indexes(db: Db): Promise<void> {
  // Without the rows that have none: else SQLite would rather go through all of these than use `media_unowned`.
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
