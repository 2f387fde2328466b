import type { Db } from "../storage.ts";

/** Who of a stream's viewers are the same in several processes. */
export async function liveViewerSamples(db: Db): Promise<void> {
  await db.schema
    .alterTable("live_viewers")
    .addColumn("sample", "text", (c) => c.notNull().defaultTo("[]"))
    .execute();
}
