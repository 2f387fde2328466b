import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Posts that quote others. `quoted_id` isn't a foreign key: deleting a post that many quote would have to write to all of them. Ids are
 * never used again, so it then leads to nothing.
 */
export async function quotes(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("posts").addColumn("quoted_id", integer).execute();
  await db.schema
    .alterTable("posts")
    .addColumn("quote_count", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createIndex("posts_by_quoted")
    .on("posts")
    .columns(["quoted_id", "id"])
    .where(sql<boolean>`quoted_id is not null`)
    .execute();
}
