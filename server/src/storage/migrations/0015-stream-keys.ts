import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Where a streaming server takes streams: what each account may send one under, and for those on air who sends it and when
 * that was last heard of.
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
  // Those that nobody tells of aren't in it: nothing is asked of them but who they are.
  await db.schema
    .createIndex("lives_last_sign")
    .on("lives")
    .columns(["last_sign_at"])
    .where(sql<boolean>`last_sign_at is not null`)
    .execute();
}
