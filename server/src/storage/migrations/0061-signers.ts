import type { Db } from "../storage.ts";

/** The host whose key signed a request, where others are told what it did; and which signatures were used. */
export async function signers(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  for (const table of ["activity", "log_pending", "post_receipts", "comment_receipts"] as const)
    await db.schema.alterTable(table).addColumn("signer", "text").execute();
  await db.schema
    .createTable("used_signatures")
    .addColumn("hash", "text", (c) => c.primaryKey())
    .addColumn("ends_at", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("used_signatures_ends").on("used_signatures").column("ends_at").execute();
}
