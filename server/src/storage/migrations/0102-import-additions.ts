import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** What each import added, so that it can be taken back. */
export async function importAdditions(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("import_additions")
    .addColumn("id", id)
    .addColumn("import_id", integer, (c) => c.notNull().references("imports.id").onDelete("cascade"))
    .addColumn("part", "text", (c) => c.notNull())
    .addColumn("target_id", integer)
    .addColumn("list_id", integer)
    .addColumn("name", "text")
    .execute();
  await db.schema
    .createIndex("import_additions_import")
    .on("import_additions")
    .columns(["import_id", "id"])
    .execute();
  await db.schema.alterTable("imported_posts").addColumn("import_id", integer).execute();
  await db.schema
    .createIndex("imported_posts_import")
    .on("imported_posts")
    .columns(["import_id", "post_id"])
    .where(sql<boolean>`import_id is not null`)
    .execute();
}
