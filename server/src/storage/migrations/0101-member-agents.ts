import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Lists the agents of a community without reading its other members. */
export async function memberAgents(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .alterTable("community_members")
    .addColumn("is_agent", integer, (c) => c.notNull().defaultTo(0))
    .execute();
  await sql`
    update community_members set is_agent = 1
    where user_id in (select id from users where role = 'agent')`.execute(db);
  // Null for all others. On an expression: SQLite would prefer the primary key to any index that begins with the community.
  await db.schema
    .createIndex("community_members_agents")
    .on("community_members")
    .expression(sql`(case when is_agent = 1 and role <> 'banned' then community_id end), user_id`)
    .execute();
}
