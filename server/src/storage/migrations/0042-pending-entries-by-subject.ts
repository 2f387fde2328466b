import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Pending log entries by subject: one tree of pages to write instead of two. */
export async function pendingEntriesBySubject(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema.dropIndex("log_pending_subject").execute();
  await db.schema.alterTable("log_pending").renameTo("log_pending_by_id").execute();
  await db.schema
    .createTable("log_pending")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("subject_id", integer, (c) => c.notNull())
    .addColumn("version", integer, (c) => c.notNull())
    .addColumn("sequence", integer, (c) => c.notNull())
    .addColumn("salt", "text")
    .addColumn("entry", "text")
    .addPrimaryKeyConstraint("log_pending_key", ["kind", "subject_id", "version", "sequence"])
    .modifyEnd(clustered)
    .execute();
  await sql`insert into log_pending (kind, subject_id, version, sequence, salt, entry)
    select kind, subject_id, version, id, salt, entry from log_pending_by_id`.execute(db);
  await db.schema.dropTable("log_pending_by_id").execute();
}
