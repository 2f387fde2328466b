import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Notifications reference their draft, activity entries say whether they changed anything, an admin's tier can be
 * pinned, files of removed posts aren't served, and suspended accounts have an index of their own.
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
  // In list order, because the planner doesn't know how few suspended accounts there are and would scan all users.
  await db.schema
    .createIndex("users_suspended_by_id")
    .on("users")
    .expression(sql`(case when suspended_until is not null then id end)`)
    .execute();
  await sql`update media_files set withheld = 1 where media_id in
    (select m.id from media m join removed_posts r on r.post_id = m.post_id)`.execute(db);
}
