import type { Db } from "../storage.ts";

/** Digests by email, for those who chose them once. */
export async function digests(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("digests")
    .addColumn("user_id", integer, (c) => c.primaryKey().references("users.id").onDelete("cascade"))
    .addColumn("every", "text", (c) => c.notNull())
    .addColumn("token", "text", (c) => c.notNull().unique())
    .addColumn("told_upto", integer, (c) => c.notNull())
    .addColumn("attempts", integer, (c) => c.notNull().defaultTo(0))
    .addColumn("due_at", integer)
    .addColumn("holder", "text")
    .addColumn("lease_ends_at", integer)
    .execute();
  await db.schema.createIndex("digests_due_at").on("digests").columns(["due_at", "user_id"]).execute();
}
