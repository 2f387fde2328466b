import type { Db } from "../storage.ts";

/** Devices and networks that have logged in to an account. */
export async function knownPlaces(db: Db): Promise<void> {
  const { integer, clustered } = db.engine.types;
  await db.schema
    .createTable("known_places")
    .addColumn("user_id", integer, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("hash", "text", (c) => c.notNull())
    .addColumn("last_used_at", integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("known_places_key", ["user_id", "hash"])
    .modifyEnd(clustered)
    .execute();
  await db.schema.createIndex("known_places_used").on("known_places").column("last_used_at").execute();
}
