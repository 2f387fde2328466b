import type { Db } from "../storage.ts";

/** `confirmed_at`: when the webhook's URL first took a message; null until then. */
export async function confirmedWebhooks(db: Db): Promise<void> {
  await db.schema.alterTable("webhooks").addColumn("confirmed_at", db.engine.types.integer).execute();
  const delivered = db
    .selectFrom("webhook_deliveries")
    .select("webhook_id")
    .where("state", "=", "delivered")
    .groupBy("webhook_id");
  await db
    .updateTable("webhooks")
    .set((eb) => ({ confirmed_at: eb.ref("created_at") }))
    .where("id", "in", delivered)
    .execute();
}
