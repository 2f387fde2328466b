import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Polling of sources: schedule, state and HTTP validators. Imported items are identified by the origin's key, so that
 * an item becomes one post however often it is seen, and isn't imported again after its post is deleted. Posts with the
 * same link form a story, of which one post is shown and counts the others. Adds creators' follower counts.
 */
export async function gathering(db: Db): Promise<void> {
  await sources(db);
  await pages(db);
  await items(db);
  await stories(db);
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("creators")
    .addColumn("follower_count", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update creators set follower_count = (select count(*) from follows where creator_id = creators.id)
    where id in (select creator_id from follows)`.execute(db);
}

async function sources(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  const zero = ["enabled", "interval_ms", "failures", "created_at"];
  const nullable = ["next_at", "polled_at", "newest_at"];
  for (const column of ["url", "last_error", "holder"])
    await db.schema.alterTable("sources").addColumn(column, "text").execute();
  await db.schema
    .alterTable("sources")
    .addColumn("state", "text", (c) => c.notNull().defaultTo("new"))
    .execute();
  for (const column of zero)
    await db.schema
      .alterTable("sources")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  for (const column of nullable) await db.schema.alterTable("sources").addColumn(column, integer).execute();
  await db.schema.createIndex("sources_url").on("sources").columns(["platform", "url"]).unique().execute();
  await db.schema.createIndex("sources_state").on("sources").columns(["state", "id"]).execute();
  // Partial, so that the index starts with the sources that are due.
  await db.schema
    .createIndex("sources_due")
    .on("sources")
    .columns(["next_at", "id"])
    .where(sql<boolean>`next_at is not null`)
    .execute();
}

async function pages(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("source_pages")
    .addColumn("source_id", integer, (c) => c.notNull().references("sources.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("etag", "text")
    .addColumn("last_modified", "text")
    .addPrimaryKeyConstraint("source_pages_key", ["source_id", "url"])
    .modifyEnd(clustered)
    .execute();
}

async function items(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("gathered")
    .addColumn("platform", "text", (c) => c.notNull())
    .addColumn("key", "text", (c) => c.notNull())
    .addColumn("source_id", integer, (c) => c.notNull().references("sources.id").onDelete("cascade"))
    .addColumn("post_id", integer, (c) => c.references("posts.id").onDelete("set null"))
    .addColumn("digest", "text", (c) => c.notNull())
    .addColumn("posted_at", integer, (c) => c.notNull())
    .addColumn("missed", integer, (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("gathered_key", ["platform", "key"])
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("gathered_source").on("gathered").columns(["source_id", "posted_at"]).execute();
  await db.schema
    .createIndex("gathered_post")
    .on("gathered")
    .column("post_id")
    .where(sql<boolean>`post_id is not null`)
    .execute();
}

async function stories(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("posts").addColumn("story", "text").execute();
  for (const [column, value] of [
    ["story_rest", 0],
    ["story_count", 1],
  ] as const)
    await db.schema
      .alterTable("posts")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(value))
      .execute();
  await db.schema
    .createIndex("posts_story")
    .on("posts")
    .columns(["story", "id"])
    .where(sql<boolean>`story is not null`)
    .execute();
}
