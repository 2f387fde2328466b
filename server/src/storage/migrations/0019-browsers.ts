import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Browser push subscriptions are webhooks that belong to a session. Webhook URLs are normalized, so that equal targets
 * compare equal.
 */
export async function browsers(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("webhooks")
    .addColumn("session_id", integer, (c) => c.references("sessions.id").onDelete("cascade"))
    .execute();
  await db.schema.alterTable("webhooks").addColumn("public_key", "text").execute();
  for (const { id, url } of await db.selectFrom("webhooks").select(["id", "url"]).execute())
    await db
      .updateTable("webhooks")
      .set({ url: new URL(url).href })
      .where("id", "=", id)
      .execute();
  // One subscription per session and one session per subscription. The indexes also serve lookups and session deletion.
  for (const column of ["session_id", "url"])
    await db.schema
      .createIndex(`webhooks_browser_${column}`)
      .on("webhooks")
      .column(column)
      .unique()
      .where(sql<boolean>`session_id is not null`)
      .execute();
  await db.schema
    .createTable("push_key")
    .addColumn("id", integer, (c) => c.primaryKey())
    .addColumn("private_key", "text", (c) => c.notNull())
    .execute();
}
