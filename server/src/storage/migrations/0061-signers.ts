import type { Db } from "../storage.ts";

/** The host whose key signed a request, where others are told what it did. */
export async function signers(db: Db): Promise<void> {
  for (const table of ["activity", "log_pending", "post_receipts", "comment_receipts"] as const)
    await db.schema.alterTable(table).addColumn("signer", "text").execute();
}
