import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Accounts, words and tags that an account mutes. */
export async function mutes(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("mutes")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("creator_id", integer, (c) => c.references("creators.id").onDelete("cascade"))
    .addColumn("text", "text")
    .addColumn("folded", "text")
    .addColumn("until_at", integer)
    .addColumn("created_at", integer, (c) => c.notNull())
    .execute();
  await db.schema.createIndex("mutes_of").on("mutes").columns(["user_id", "id"]).execute();
  await db.schema
    .createIndex("mutes_creator")
    .on("mutes")
    .columns(["creator_id", "user_id"])
    .unique()
    .where(sql<boolean>`creator_id is not null`)
    .execute();
  await db.schema
    .createIndex("mutes_text")
    .on("mutes")
    .columns(["user_id", "type", "folded"])
    .unique()
    .where(sql<boolean>`folded is not null`)
    .execute();
  await db.schema
    .createIndex("mutes_until")
    .on("mutes")
    .column("until_at")
    .where(sql<boolean>`until_at is not null`)
    .execute();
  await db.schema.alterTable("users").addColumn("mutes_change_at", integer).execute();
}
