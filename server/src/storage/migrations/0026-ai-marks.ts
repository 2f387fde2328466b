import { type RawBuilder, sql } from "kysely";
import type { Db } from "../storage.ts";

/**
 * Marks of AI content on products, their cards on posts, profiles, notifications and files. Existing ones are marked if the
 * activity log still shows that a key or agent wrote them, and products of agents always.
 */
export async function aiMarks(db: Db): Promise<void> {
  const { integer } = db.engine.types;
  for (const [table, column] of [
    ["products", "is_ai"],
    ["users", "display_name_is_ai"],
    ["users", "bio_is_ai"],
    ["users", "avatar_is_ai"],
    ["notifications", "by_ai"],
  ] as const)
    await db.schema
      .alterTable(table)
      .addColumn(column, integer, (c) => c.notNull().defaultTo(0))
      .execute();
  await db.schema.alterTable("media_files").addColumn("mark", "text").execute();
  await markFiles(db);
  await markProducts(db);
  await markProfiles(db);
  // Of past likes in a person's name it isn't known whether a key made them.
  await sql`update notifications set by_ai = 1
    where actor_id in (select id from users where role = 'agent')
      or (type in ('comment', 'reply', 'mention') and comment_id in (select id from comments where is_ai = 1))
  `.execute(db);
}

/** Files of posts that were AI content from the start are marked. Those that a key edited later are due to be marked. */
async function markFiles(db: Db): Promise<void> {
  const media = (
    condition: RawBuilder<unknown>,
  ) => sql`(select m.id from media m join posts p on p.id = m.post_id
    where p.fragment like '%,"provenance":"ai_generated",%' and p.fragment not like '%,"mediaState":null,%'
      and ${condition})`;
  const isUnedited = sql`p.fragment like '%,"editedAt":null,%'`;
  await sql`update media_files set mark = 'trainedAlgorithmicMedia' where variant <> 'original'
    and media_id in ${media(isUnedited)}`.execute(db);
  await sql`update media set due_at = 0 where id in ${media(sql`not ${isUnedited}`)}`.execute(db);
}

async function markProducts(db: Db): Promise<void> {
  await sql`update products set is_ai = 1
    where user_id in (select id from users where role = 'agent')
      or id in (select target from activity where operation in ('createProduct', 'editProduct') and changed = 1)
  `.execute(db);
  const { rows } = await sql<{ post_id: number; product_id: number; is_ai: number }>`
    select s.post_id, s.product_id, p.is_ai from post_products s join products p on p.id = s.product_id
  `.execute(db);
  for (const { post_id, product_id, is_ai } of rows) {
    // Each card ends with its URL. Quotation marks in texts are escaped, so only fields match.
    const url = `"url":"/out/${product_id}?post=${post_id}"`;
    await sql`update posts set
      fragment = replace(fragment, ${`${url}}`}, ${`${url},"isAiGenerated":${is_ai === 1}}`})
      where id = ${post_id}`.execute(db);
  }
}

/** The log doesn't say which fields a key edited, so all that have a value are marked. */
async function markProfiles(db: Db): Promise<void> {
  const edited = (operation: string) =>
    sql`id in (select user_id from activity where operation = ${operation} and changed = 1)`;
  for (const [mark, field, operation] of [
    ["display_name_is_ai", "display_name", "editProfile"],
    ["bio_is_ai", "bio", "editProfile"],
    ["avatar_is_ai", "avatar_url", "setAvatar"],
  ] as const)
    await sql`update users set ${sql.ref(mark)} = 1
      where ${sql.ref(field)} is not null and ${edited(operation)}`.execute(db);
}
