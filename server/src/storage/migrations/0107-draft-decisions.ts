import type { Db } from "../storage.ts";

/** What became of drafts that waited for approval, which are deleted when they are decided. */
export async function draftDecisions(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("draft_decisions")
    .addColumn("draft_id", integer, (c) => c.primaryKey())
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("operation", "text", (c) => c.notNull())
    .addColumn("decision", "text", (c) => c.notNull())
    .addColumn("post_id", integer)
    .addColumn("comment_id", integer)
    .addColumn("decided_at", integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("draft_decisions_user_id")
    .on("draft_decisions")
    .columns(["user_id", "draft_id"])
    .execute();
  // The draft with which a call asked for approval, or that it published.
  await db.schema.alterTable("activity").addColumn("draft_id", integer).execute();
}
