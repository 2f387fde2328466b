import type { Db } from "../storage.ts";

/** Where each caller's last write stands among all writes, so that a replica is asked only if it has come so far. */
export async function positions(db: Db): Promise<void> {
  await db.schema
    .alterTable("quota_windows")
    .addColumn("position", db.engine.types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
}
