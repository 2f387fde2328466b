import { sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Where a post's provenance comes from. Existing posts by agents and keys, and posts with an edit by a key that the
 * activity log still covers, become `stamped`; all others from here `declared`. Imported posts become `assumed`, because until
 * now nothing that origins say was read.
 */
export async function provenanceBasis(db: Db): Promise<void> {
  await db.schema
    .alterTable("posts")
    .addColumn("basis", "text", (c) => c.notNull().defaultTo("declared"))
    .execute();
  const touchedByKey = sql`made_with is not null or id in (
    select target from activity where operation in ('createPost', 'editPost', 'attachProduct') and changed = 1)`;
  // Quotation marks in texts are escaped, so only fields match.
  await sql`update posts set basis = case
      when fragment like '%,"authorIsAgent":true,%' then 'stamped'
      when fragment like ',"platform":"native",%' then
        case when fragment like '%,"provenance":"ai_generated",%' and (${touchedByKey}) then 'stamped' else 'declared' end
      when fragment like '%,"provenance":"human",%' then 'assumed'
      else 'origin' end`.execute(db);
  await sql`update posts set
    fragment = replace(fragment, ',"authorIsAgent":', ',"provenanceBasis":"' || basis || '","authorIsAgent":')`.execute(
    db,
  );
  // The newest posts of a provenance keep their index. It replaces the hot index instead of adding one, because each like updates
  // every hot index.
  await index(db, "id");
  await db.schema.dropIndex("posts_provenance_hot_rank_id").execute();
  await index(db, "hot_rank", "id");
}

async function index(db: Db, ...order: string[]): Promise<void> {
  const columns = ["provenance", "basis", ...order];
  await db.schema
    .createIndex(["posts", ...columns].join("_"))
    .on("posts")
    .columns(columns)
    .execute();
}
