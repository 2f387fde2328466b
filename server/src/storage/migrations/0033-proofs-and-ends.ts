import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** When the user of a session last proved who they are, and when a key ends. */
export async function proofsAndEnds(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("sessions")
    .addColumn("proven_at", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update sessions set proven_at = created_at`.execute(db);
  await db.schema.alterTable("keys").addColumn("expires_at", integer).execute();
  // Few keys have an end.
  await db.schema
    .createIndex("keys_expiring")
    .on("keys")
    .column("expires_at")
    .where(sql<boolean>`expires_at is not null`)
    .execute();
}
