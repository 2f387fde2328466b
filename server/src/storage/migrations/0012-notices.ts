import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Muted notification types, webhooks and their deliveries. */
export async function notices(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("notification_mutes")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("source", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("notification_mutes_key", ["user_id", "source", "type"])
    .modifyEnd(clustered)
    .execute();
  await webhooks(db);
  await deliveries(db);
}

async function webhooks(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("webhooks")
    .addColumn("id", id)
    .addColumn("owner_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("types", "text")
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("old_secret", "text")
    .addColumn("old_secret_until", integer)
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("failing_since", integer)
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("held_until", integer)
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("webhooks_owner_id").on("webhooks").columns(["owner_id", "id"]).execute();
  await db.schema.createIndex("webhooks_user_id").on("webhooks").columns(["user_id", "id"]).execute();
  // Partial, so that the index starts with the webhooks that are due.
  await db.schema
    .createIndex("webhooks_due")
    .on("webhooks")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}

async function deliveries(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("id", id)
    .addColumn("webhook_id", integer, (c) => c.notNull().references("webhooks.id").onDelete("cascade"))
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("payload", "text", (c) => c.notNull())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer)
    .addColumn("status", integer)
    .addColumn("error", "text")
    .addColumn("tried_at", integer)
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  const index = (name: string) => db.schema.createIndex(name).on("webhook_deliveries");
  await index("webhook_deliveries_webhook_id").columns(["webhook_id", "id"]).execute();
  await index("webhook_deliveries_created_at").column("created_at").execute();
  await index("webhook_deliveries_due")
    .columns(["webhook_id", "due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}
