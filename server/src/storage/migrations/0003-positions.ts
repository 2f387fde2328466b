import type { Db } from "../storage.ts";

/** The position of each caller's last write, so that reads go only to replicas that have replayed it. */
export async function positions(db: Db): Promise<void> {
  await db.schema
    .alterTable("quota_windows")
    .addColumn("position", db.engine.types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
}
