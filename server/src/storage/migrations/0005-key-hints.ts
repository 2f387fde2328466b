import type { Db } from "../storage.ts";

/** Which key a notice is about: the key itself is gone by then. */
export async function keyHints(db: Db): Promise<void> {
  await db.schema.alterTable("notifications").addColumn("key_hint", "text").execute();
}
