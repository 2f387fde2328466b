import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Links on profiles, and the queue that verifies them. */
export async function profileLinks(db: Db): Promise<void> {
  const { id, integer } = db.engine.types;
  await db.schema
    .createTable("profile_links")
    .addColumn("id", id)
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("position", integer, (c) => c.notNull())
    .addColumn("url", "text", (c) => c.notNull())
    .addColumn("host", "text", (c) => c.notNull())
    .addColumn("verified_at", integer)
    .addColumn("checked_at", integer)
    .addColumn("problem", "text")
    .addColumn("misses", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer)
    .execute();
  await db.schema
    .createIndex("profile_links_user")
    .on("profile_links")
    .columns(["user_id", "position"])
    .execute();
  await db.schema
    .createIndex("profile_links_due")
    .on("profile_links")
    .columns(["due_at", "id"])
    .where(sql<boolean>`due_at is not null`)
    .execute();
  // The hosts that are being checked.
  await db.schema
    .createIndex("profile_links_held")
    .on("profile_links")
    .columns(["holder", "host"])
    .where(sql<boolean>`holder is not null`)
    .execute();
}
