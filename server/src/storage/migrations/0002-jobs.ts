import type { Db } from "../storage.ts";

/** Background jobs: when each is due, and which process holds its lease until when. */
export async function jobs(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("jobs")
    .addColumn("name", "text", (c) => c.notNull().primaryKey())
    .addColumn("due_at", integer, (c) => c.notNull())
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer, (c) => c.notNull())
    .addColumn("failures", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
}
