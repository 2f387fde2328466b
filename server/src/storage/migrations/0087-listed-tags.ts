import type { Db } from "../storage.ts";

/** Only hashtags that several people use at the time are kept, and no longer all that anyone ever used. */
export async function listedTags(db: Db): Promise<void> {
  await db.deleteFrom("tags").where("people", "<", 2).execute();
  await db.schema.dropIndex("tags_unused").execute();
  await db.schema.alterTable("tags").dropColumn("counted_at").execute();
}
