import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** A new post's row is its own pending entry of the transparency log, so that publishing writes no row of the log. */
export async function firstEntries(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  await db.schema.alterTable("posts").addColumn("first_entry", "text").execute();
  for (const column of ["posts_done", "next_done", "next_position"])
    await db.schema
      .alterTable("log_head")
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  // No post so far is its own entry.
  await sql`update log_head set posts_done = coalesce((select max(id) from posts), 0)`.execute(db);
}
