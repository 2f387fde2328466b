import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** The mark of AI content on a profile's links. Only an agent can have set an agent's; of others it isn't known. */
export async function leftoverMarks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("users")
    .addColumn("links_is_ai", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`update users set links_is_ai = 1
    where role = 'agent' and id in (select user_id from profile_links)`.execute(db);
}
