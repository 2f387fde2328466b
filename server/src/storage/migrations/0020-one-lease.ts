import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Every table with deferred work has the same columns: `due_at`, `holder` and `lease_ends_at`. Until now some used the time
 * when the work is due as the end of the lease. Leases end with the migration.
 */
export async function oneLease(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("sources").renameColumn("next_at", "due_at").execute();
  await db.schema.alterTable("webhooks").renameColumn("held_until", "lease_ends_at").execute();
  for (const table of ["mails", "exports", "post_links", "sources", "media"])
    await db.schema.alterTable(table).addColumn("lease_ends_at", integer).execute();
  for (const table of ["mails", "exports", "post_links", "sources"])
    await sql`update ${sql.table(table)} set holder = null where holder is not null`.execute(db);
  await db.schema.alterTable("media").addColumn("holder", "text").execute();
  await db.schema.alterTable("media").addColumn("due_at", integer).execute();
  await sql`update media set due_at = created_at where state = 'preparing'`.execute(db);
  await db.schema.alterTable("media").dropColumn("claimed_at").execute();
  await db.schema.dropIndex("media_preparing").execute();
  await db.schema
    .createIndex("media_due")
    .on("media")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}
