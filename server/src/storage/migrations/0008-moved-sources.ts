import type { Db } from "../storage.ts";

/** Where a source says it has gone for good, and since when it has said so: it is asked there once it has said so for long. */
export async function movedSources(db: Db): Promise<void> {
  await db.schema.alterTable("sources").addColumn("moved_to", "text").execute();
  await db.schema.alterTable("sources").addColumn("moved_since", db.engine.types.integer).execute();
}
