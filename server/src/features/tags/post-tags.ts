import { sql } from "kysely";
import { type Tagged, tagKeysOf } from "../../storage/post-tags.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * The hashtags of posts, by which the feeds of their followers find them. Unlike the uses that trends count, these are of all posts,
 * no matter who wrote them, and are kept as long as the post.
 */

/** Records the hashtags of new posts. */
export async function addPostTags(tx: Db, posts: readonly { id: number; facts: Tagged }[]): Promise<void> {
  const rows = posts.flatMap(({ id, facts }) => tagKeysOf(facts).map((tag) => ({ tag, post_id: id })));
  if (rows.length > 0) await add(tx.later, { listed: JSON.stringify(rows) });
}

interface ChangedPost {
  id: number;
  before: Tagged;
  after: Tagged;
}

/** Records the hashtags of edited posts instead of those from before. */
export async function changePostTags(tx: Db, posts: readonly ChangedPost[]): Promise<void> {
  const changed = posts.filter(({ before, after }) => tagKeysOf(before).join() !== tagKeysOf(after).join());
  await replacePostTags(
    tx,
    changed.map(({ id, after }) => ({ id, facts: after })),
  );
}

/** Records the hashtags of these posts instead of those that are recorded. */
export async function replacePostTags(
  tx: Db,
  posts: readonly { id: number; facts: Tagged }[],
): Promise<void> {
  if (posts.length === 0) return;
  const ids = posts.map(({ id }) => id);
  await sql`delete from post_tags where post_id in (${tx.engine.oneOf(ids)})`.execute(tx);
  await addPostTags(tx, posts);
}

/** In the order of the key. */
const add = prepared<{ listed: string }, never>((db, { listed }) =>
  sql<never>`
    insert into post_tags (tag, post_id)
    select tag, post_id from (${db.engine.jsonRows(listed, { tag: "text", post_id: "integer" })}) as listed
    where 1 = 1 order by tag, post_id on conflict do nothing`.compile(db),
);
