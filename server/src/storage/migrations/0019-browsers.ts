import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Browsers are sent notifications as webhooks are, for as long as their session lasts. Addresses are written in one way each,
 * so that it can be told which lead to the same place.
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
  // One browser a session, and one session a browser; who looks for either finds it, and so does a session that ends.
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
