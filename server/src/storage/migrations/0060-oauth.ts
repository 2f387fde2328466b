import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Apps that someone authorized by OAuth: their keys, and what the authorization server remembers. */
export async function oauth(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("keys").addColumn("client_id", "text").execute();
  await db.schema.alterTable("keys").addColumn("app", "text").execute();
  await db.schema.alterTable("keys").addColumn("token_expires_at", integer).execute();
  await db.schema
    .createIndex("keys_client")
    .on("keys")
    .column("client_id")
    .where("client_id", "is not", null)
    .execute();
  // Grants whose code was never redeemed.
  await db.schema
    .createIndex("keys_unclaimed")
    .on("keys")
    .column("created_at")
    .where(sql<boolean>`client_id is not null and token_expires_at is null`)
    .execute();
  await db.schema
    .createTable("oauth_records")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    // Whatever belongs to a grant goes with its key.
    .addColumn("key_id", integer, (c) => c.references("keys.id").onDelete("cascade"))
    .addColumn("user_code", "text", (c) => c.unique())
    .addColumn("used_at", integer)
    .addColumn("expires_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("oauth_records_expiring").on("oauth_records").column("expires_at").execute();
  await db.schema
    .createIndex("oauth_records_key")
    .on("oauth_records")
    .columns(["key_id", "used_at"])
    .where(sql<boolean>`key_id is not null`)
    .execute();
}
