import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Subscriptions to the hubs of feeds, and when a hub last announced something new. */
export async function webSub(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema.alterTable("sources").addColumn("pushed_at", integer).execute();
  await db.schema
    .createTable("hub_subscriptions")
    .addColumn("id", id)
    .addColumn("source_id", integer, (c) => c.unique().references("sources.id").onDelete("set null"))
    .addColumn("hub", "text", (c) => c.notNull())
    .addColumn("topic", "text", (c) => c.notNull())
    .addColumn("callback", "text", (c) => c.notNull().unique())
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("asked", "text")
    .addColumn("active_until", integer)
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer)
    .execute();
  await db.schema
    .createIndex("hub_subscriptions_due")
    .on("hub_subscriptions")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}
