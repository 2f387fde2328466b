import type { Db } from "../storage.ts";

/** Receipts of products, profiles, live streams and communities: only their current version has one. */
export async function currentReceipts(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("current_receipts")
    .addColumn("subject_id", integer, (c) => c.notNull())
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("version", integer, (c) => c.notNull())
    .addColumn("salt", "text")
    .addColumn("position", integer, (c) => c.notNull())
    .addColumn("signer", "text")
    .addPrimaryKeyConstraint("current_receipts_key", ["subject_id", "kind", "version"])
    .modifyEnd(clustered)
    .execute();
}
