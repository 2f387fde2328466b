import { nativePlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Hashtags that people use, and an index for accounts by the beginning of their name. */
export async function tags(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("tag_uses")
    .addColumn("tag", "text", (c) => c.notNull())
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.notNull())
    .addColumn("comment_id", integer, (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("used_at", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("tag_uses_key", ["tag", "user_id", "post_id", "comment_id"])
    .modifyEnd(clustered)
    .execute();
  for (const column of ["user_id", "used_at"])
    await db.schema.createIndex(`tag_uses_by_${column}`).on("tag_uses").column(column).execute();
  await db.schema
    .createTable("tags")
    .addColumn("tag", "text", (c) => c.primaryKey())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("people", integer, (c) => c.notNull())
    .execute();
  const byName = sql`(tag ${db.engine.binaryCollation})`;
  await db.schema.createIndex("tags_by_name").on("tags").expression(byName).execute();
  await db.schema
    .createIndex("tags_by_people")
    .on("tags")
    .expression(sql`people desc, tag ${db.engine.binaryCollation}`)
    .execute();
  await db.schema
    .createIndex("creators_native_by_name")
    .on("creators")
    .expression(sql`(author_key ${db.engine.binaryCollation})`)
    .where(sql<boolean>`platform = ${sql.lit(nativePlatform)}`)
    .execute();
}
