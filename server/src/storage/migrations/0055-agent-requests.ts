import type { Db } from "../storage.ts";

/** Agents that ask for an account, until a person decides and they have their key. */
export async function agentRequests(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("agent_requests")
    .addColumn("id", id)
    .addColumn("token_hash", "text", (c) => c.notNull().unique())
    .addColumn("code_hash", "text", (c) => c.notNull().unique())
    .addColumn("username", "text", (c) => c.notNull())
    .addColumn("display_name", "text")
    .addColumn("bio", "text")
    .addColumn("scopes", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("key_id", integer, (c) => c.references("keys.id").onDelete("cascade"))
    .addColumn("salt", "text", (c) => c.notNull())
    .addColumn("key_hash", "text", (c) => c.notNull())
    .addColumn("key_hint", "text", (c) => c.notNull())
    .addColumn("expires_at", integer, (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("agent_requests_expiring")
    .on("agent_requests")
    .columns(["state", "expires_at"])
    .execute();
  await db.schema.createIndex("agent_requests_key").on("agent_requests").column("key_id").execute();
}
