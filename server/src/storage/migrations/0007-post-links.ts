import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Links of posts, and the queue that fetches their previews. */
export async function postLinks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("post_links")
    .addColumn("post_id", integer, (c) => c.primaryKey().references("posts.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("host", "text", (c) => c.notNull())
    .addColumn("url_key", "text", (c) => c.notNull())
    .addColumn("canonical_key", "text")
    .addColumn("attempts", integer, (c) => c.notNull())
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("found_at", integer)
    .addColumn("checks", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("etag", "text")
    .addColumn("last_modified", "text")
    .execute();
  // Partial, so that the index starts with the links that are due.
  await index(db, "post_links_due", ["due_at", "post_id"], sql`due_at is not null`);
  await index(db, "post_links_held", ["host"], sql`holder is not null`);
  await index(db, "post_links_url", ["url_key", "found_at"], sql`found_at is not null`);
  await index(db, "post_links_canonical", ["canonical_key", "found_at"], sql`canonical_key is not null`);
}

async function index(db: Db, name: string, columns: string[], where: ReturnType<typeof sql>): Promise<void> {
  await db.schema.createIndex(name).on("post_links").columns(columns).where(sql<boolean>`${where}`).execute();
}
