import type { Db } from "../storage.ts";

/** Notifications of a revoked key keep its hint, because the key itself is deleted. */
export async function keyHints(db: Db): Promise<void> {
  await db.schema.alterTable("notifications").addColumn("key_hint", "text").execute();
}
