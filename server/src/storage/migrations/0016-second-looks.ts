import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Notices name the draft that they are about; what changed nothing is told apart; a tier set by hand may hold; files of
 * removed posts are served to nobody; and suspended accounts are found by themselves.
 */
export async function secondLooks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("notifications").addColumn("draft_id", integer).execute();
  for (const [table, column, value] of [
    ["activity", "changed", 1],
    ["keys", "tier_held", 0],
    ["media_files", "withheld", 0],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, integer, (c) => c.notNull().defaultTo(value))
      .execute();
  // In the order in which they are listed: no planner knows how few they are.
  await db.schema
    .createIndex("users_suspended_by_id")
    .on("users")
    .expression(sql`(case when suspended_until is not null then id end)`)
    .execute();
  await sql`update media_files set withheld = 1 where media_id in
    (select m.id from media m join removed_posts r on r.post_id = m.post_id)`.execute(db);
}
