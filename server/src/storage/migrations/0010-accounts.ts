import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Account security: verified email addresses, session details, single-use tokens, second factors, passkeys and the mail
 * queue. Also data exports, and account deletion in steps.
 */
export async function accounts(db: Db): Promise<void> {
  await users(db);
  await tokens(db);
  await mails(db);
  await secondFactors(db);
  await passkeys(db);
  await exportsOf(db);
}

async function users(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("users")
    .addColumn("email_verified", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable("users").addColumn("removing_at", integer).execute();
  await db.schema
    .createIndex("users_removing")
    .on("users")
    .column("id")
    .where(sql<boolean>`removing_at is not null`)
    .execute();
  await db.schema.alterTable("sessions").addColumn("last_used_at", integer).execute();
  await db.schema.alterTable("sessions").addColumn("device", "text").execute();
}

async function tokens(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("tokens")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("user_id", integer, (c) => c.references("users.id").onDelete("cascade"))
    .addColumn("about", "text")
    .addColumn("expires_at", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("tokens_user").on("tokens").columns(["user_id", "purpose"]).execute();
  await db.schema.createIndex("tokens_expires").on("tokens").column("expires_at").execute();
}

async function mails(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("mails")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("address", "text", (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer, (c) => c.notNull())
    .addColumn("holder", "text")
    .execute();
  await db.schema.createIndex("mails_due").on("mails").columns(["due_at", "id"]).execute();
  await db.schema.createIndex("mails_user").on("mails").column("user_id").execute();
}

async function secondFactors(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("second_factors")
    .addColumn("user_id", integer, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("secret", "text", (c) => c.notNull())
    .addColumn("confirmed_at", integer)
    .addColumn("last_step", integer, (c) => c.notNull().defaultTo(0))
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("recovery_codes")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("recovery_codes_key", ["user_id", "hash"])
    .modifyEnd(clustered)
    .execute();
}

async function passkeys(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("passkeys")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("credential", "text", (c) => c.notNull().unique())
    .addColumn("public_key", "text", (c) => c.notNull())
    .addColumn("counter", integer, (c) => c.notNull())
    .addColumn("synced", integer, (c) => c.notNull())
    .addColumn("name", "text", (c) => c.notNull())
    .addColumn("created_at", integer, (c) => c.notNull())
    .addColumn("last_used_at", integer)
    .execute();
  await db.schema.createIndex("passkeys_user").on("passkeys").columns(["user_id", "id"]).execute();
}

async function exportsOf(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("exports")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.unique().references("users.id").onDelete("set null"))
    .addColumn("file", "text", (c) => c.notNull())
    .addColumn("ready", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("bytes", integer)
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("holder", "text")
    .addColumn("due_at", integer)
    .addColumn("expires_at", integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("exports_due")
    .on("exports")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
  await db.schema.createIndex("exports_expires").on("exports").column("expires_at").execute();
}
