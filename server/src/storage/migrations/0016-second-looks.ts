import type { Db } from "../storage.ts";

/** Notices name the draft that they are about; what changed nothing is told apart; and a tier set by hand may hold. */
export async function secondLooks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("notifications").addColumn("draft_id", integer).execute();
  await db.schema
    .alterTable("activity")
    .addColumn("changed", integer, (c) => c.notNull().defaultTo(1))
    .execute();
  await db.schema
    .alterTable("keys")
    .addColumn("tier_held", integer, (c) => c.notNull().defaultTo(0))
    .execute();
}
