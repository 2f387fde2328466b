import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * What posts mean, for those that search by meaning. `number` ascends with each change, so that processes read only what is new.
 * `meaning` is null after an edit, until the post's new text is understood.
 */
export async function postMeanings(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("post_meanings")
    .addColumn("post_id", integer, (c) => c.primaryKey().references("posts.id").onDelete("cascade"))
    .addColumn("number", integer, (c) => c.notNull())
    .addColumn("meaning", "text")
    .addColumn("near_id", integer, (c) => c.references("posts.id").onDelete("set null"))
    .addColumn("near_percent", integer)
    .execute();
  await db.schema.createIndex("post_meanings_number").on("post_meanings").column("number").unique().execute();
  await db.schema
    .createIndex("post_meanings_outdated")
    .on("post_meanings")
    .column("post_id")
    .where(sql<boolean>`meaning is null`)
    .execute();
  await db.schema.createIndex("post_meanings_near").on("post_meanings").column("near_id").execute();
  await db.schema
    .createIndex("post_meanings_duplicates")
    .on("post_meanings")
    .column("post_id")
    .where(sql<boolean>`near_id is not null`)
    .execute();
}
