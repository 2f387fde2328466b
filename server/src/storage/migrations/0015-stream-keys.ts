import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Stream keys for a streaming server. For live streams also their connection and when the server last reported them.
 */
export async function streamKeys(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("stream_keys")
    .addColumn("user_id", integer, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("stream", "text", (c) => c.notNull().unique())
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("title", "text", (c) => c.notNull())
    .addColumn("ended_client", "text")
    .execute();
  await db.schema.alterTable("lives").addColumn("stream", "text").execute();
  await db.schema.alterTable("lives").addColumn("client", "text").execute();
  await db.schema.alterTable("lives").addColumn("last_sign_at", integer).execute();
  // Partial: streams that no server reports don't time out.
  await db.schema
    .createIndex("lives_last_sign")
    .on("lives")
    .columns(["last_sign_at"])
    .where(sql<boolean>`last_sign_at is not null`)
    .execute();
}
