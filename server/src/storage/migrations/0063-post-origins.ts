import type { Db } from "../storage.ts";

/** Where imported posts are at their origin, and their counts there. Posts from before get it at a visit that shows them. */
export async function postOrigins(db: Db): Promise<void> {
  await db.schema.alterTable("posts").addColumn("origin_json", "text").execute();
}
