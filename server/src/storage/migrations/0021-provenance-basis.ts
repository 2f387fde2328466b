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
  await db.schema.dropIndex("posts_provenance_hot_rank_id").execute();
  const touchedByKey = sql`made_with is not null
    or id in (select target from activity
      where operation in ('createPost', 'editPost', 'attachProduct') and changed = 1)
    or id in (select shown.post_id from post_products shown join activity a on a.target = shown.product_id
      where a.operation = 'editProduct' and a.changed = 1)`;
  // Quotation marks in texts are escaped, so only fields match.
  const basis = sql`case
      when fragment like '%,"authorIsAgent":true,%' then 'stamped'
      when fragment like ',"platform":"native",%' then
        case when fragment like '%,"provenance":"ai_generated",%' and (${touchedByKey}) then 'stamped' else 'declared' end
      when fragment like '%,"provenance":"human",%' then 'assumed'
      else 'origin' end`;
  const field = sql`',"provenanceBasis":"' || ${basis} || '","authorIsAgent":'`;
  await sql`update posts set basis = ${basis},
    fragment = replace(fragment, ',"authorIsAgent":', ${field})`.execute(db);
  // The newest posts of a provenance keep their index. The hot order's index is replaced: each like updates every hot index.
  await index(db, "id");
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
