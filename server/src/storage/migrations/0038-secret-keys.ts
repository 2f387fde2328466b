import type { Db } from "../storage.ts";

/** The ids of the keys that stored secrets may be encrypted with. */
export async function secretKeys(db: Db): Promise<void> {
  await db.schema
    .createTable("secret_keys")
    .addColumn("id", "text", (c) => c.primaryKey())
    .execute();
}
