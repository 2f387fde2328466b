import type { Db } from "../storage.ts";

/** When other sites may be sent the next request, for all processes. */
export async function hosts(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("hosts")
    .addColumn("host", "text", (c) => c.primaryKey())
    .addColumn("holder", "text")
    .addColumn("free_at", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
  await db.schema
    .createTable("pauses")
    .addColumn("receiver", "text", (c) => c.primaryKey())
    .addColumn("ends_at", integer, (c) => c.notNull())
    .modifyEnd(clustered)
    .execute();
}
