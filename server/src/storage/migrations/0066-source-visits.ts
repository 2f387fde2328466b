import type { Db } from "../storage.ts";

/** The last visits to each source. A visit overwrites the one in its slot, so there are never more. */
export async function sourceVisits(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .alterTable("sources")
    .addColumn("visits", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("source_visits")
    .addColumn("source_id", integer, (c) => c.notNull().references("sources.id").onDelete("cascade"))
    .addColumn("slot", integer, (c) => c.notNull())
    .addColumn("number", integer, (c) => c.notNull())
    .addColumn("started_at", integer, (c) => c.notNull())
    .addColumn("duration_ms", integer, (c) => c.notNull())
    .addColumn("outcome", "text", (c) => c.notNull())
    .addColumn("seen", integer, (c) => c.notNull())
    .addColumn("added", integer, (c) => c.notNull())
    .addColumn("changed", integer, (c) => c.notNull())
    .addColumn("withdrawn", integer, (c) => c.notNull())
    .addColumn("skipped", "text")
    .addColumn("error", "text")
    .addColumn("requests", integer, (c) => c.notNull())
    .addColumn("bytes", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("source_visits_key", ["source_id", "slot"])
    .modifyEnd(clustered)
    .execute();
}
