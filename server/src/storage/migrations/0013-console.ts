import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * The operator's console: pausing agents and keys, custom limits and approval for keys, the activity log, and drafts
 * with their media.
 */
export async function operatorsConsole(db: Db): Promise<void> {
  await switches(db);
  await drafts(db);
  await mediaOfDrafts(db);
  await activity(db);
}

async function switches(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  for (const [table, column] of [
    ["users", "paused"],
    ["keys", "paused"],
    ["keys", "approval"],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema.alterTable("keys").addColumn("caps", "text").execute();
}

async function drafts(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("drafts")
    .addColumn("id", id)
    .addColumn("owner_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("key_id", integer, (c) => c.references("keys.id").onDelete("set null"))
    .addColumn("by_key", integer, (c) => c.notNull())
    .addColumn("operation", "text", (c) => c.notNull())
    .addColumn("input", "text", (c) => c.notNull())
    .addColumn("media", "text")
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("approved", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("publish_at", integer)
    .addColumn("due_at", integer)
    .addColumn("failures", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("last_error", "text")
    .addColumn("created_at", integer, (c) => c.notNull())
    .addColumn("edited_at", integer)
    .execute();
  for (const column of ["owner_id", "user_id"])
    await db.schema.createIndex(`drafts_${column}`).on("drafts").columns([column, "id"]).execute();
  await db.schema.createIndex("drafts_key_id").on("drafts").column("key_id").execute();
  // Partial, so that the index starts with the drafts that are due.
  await db.schema
    .createIndex("drafts_due")
    .on("drafts")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
}

async function mediaOfDrafts(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("media")
    .addColumn("draft_id", integer, (c) => c.references("drafts.id").onDelete("set null"))
    .execute();
  await db.schema
    .createIndex("media_draft_id")
    .on("media")
    .column("draft_id")
    .where(sql<boolean>`draft_id is not null`)
    .execute();
  await db.schema.dropIndex("media_unowned").execute();
  await db.schema
    .createIndex("media_unowned")
    .on("media")
    .column("id")
    .where(sql<boolean>`post_id is null and user_id is null and draft_id is null`)
    .execute();
}

async function activity(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("activity")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("key_id", integer)
    .addColumn("operation", "text", (c) => c.notNull())
    .addColumn("target", integer)
    .addColumn("creator", "text")
    .addColumn("undone", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  for (const column of ["user_id", "key_id"])
    await db.schema.createIndex(`activity_${column}`).on("activity").columns([column, "id"]).execute();
}
