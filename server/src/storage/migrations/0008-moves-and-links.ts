import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Permanent redirects of sources: the target, and since when it is given; after long enough it becomes the source's
 * address. Also marks links of imported posts, which are fetched after those of native posts.
 */
export async function movesAndLinks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("sources").addColumn("moved_to", "text").execute();
  await db.schema.alterTable("sources").addColumn("moved_since", integer).execute();
  await db.schema
    .alterTable("post_links")
    .addColumn("gathered", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.dropIndex("post_links_due").execute();
  await db.schema
    .createIndex("post_links_due")
    .on("post_links")
    .columns(["gathered", "due_at", "post_id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}
