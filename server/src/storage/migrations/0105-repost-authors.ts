import { sql } from "kysely";
import type { Db } from "../storage.ts";

/** Finds the reposts between two accounts. `author_id`: the creator of the post; null if that is an imported one. */
export async function repostAuthors(db: Db): Promise<void> {
  await db.schema.alterTable("reposts").addColumn("author_id", db.engine.types.integer).execute();
  await sql`
    update reposts set author_id = (
      select c.id from posts p left join removed_posts r on r.post_id = p.id
        join creators c on c.id = coalesce(r.creator_id, p.creator_id)
      where p.id = reposts.post_id and c.user_id is not null)`.execute(db);
  await db.schema
    .createIndex("reposts_by_user_and_author")
    .on("reposts")
    .columns(["user_id", "author_id"])
    .execute();
}
