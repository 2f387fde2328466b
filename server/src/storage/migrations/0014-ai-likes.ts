import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Marks likes by keys and agents, and adds accounts' preferences for AI content. Existing likes of agents are marked;
 * which of a person's existing likes came from a key is unknown.
 */
export async function aiLikes(db: Db): Promise<void> {
  for (const table of ["post_likes", "comment_likes"]) await addZero(db, table, "by_ai");
  for (const table of ["posts", "comments"]) await addZero(db, table, "ai_like_count");
  await countAgentsLikes(db, "post");
  await countAgentsLikes(db, "comment");
  for (const column of ["ai_posts", "ai_comments", "ai_notifications"])
    await db.schema
      .alterTable("users")
      .addColumn(column, "text", (c) => c.notNull().defaultTo("show"))
      .execute();
  await ranking(db);
}

async function addZero(db: Db, table: string, column: string): Promise<void> {
  await db.schema
    .alterTable(table)
    .addColumn(column, db.engine.types.integer, (c) => c.notNull().defaultTo(0))
    .execute();
}

async function countAgentsLikes(db: Db, what: "post" | "comment"): Promise<void> {
  const likes = sql.table(`${what}_likes`);
  const target = sql.ref(`${what}_id`);
  await sql`update ${likes} set by_ai = 1 where user_id in (select id from users where role = 'agent')`.execute(
    db,
  );
  await sql`
    update ${sql.table(`${what}s`)} set ai_like_count = given.likes
    from (select ${target} as target, count(*) as likes from ${likes} where by_ai = 1 group by ${target}) as given
    where id = given.target`.execute(db);
}

/** The ranking setting that the stored ranks follow, and how far posts have been re-ranked after a change of it. */
async function ranking(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema
    .createTable("ranking")
    .addColumn("id", integer, (c) => c.primaryKey())
    .addColumn("ai_likes", integer, (c) => c.notNull())
    .addColumn("reranked_upto", integer)
    .execute();
}
