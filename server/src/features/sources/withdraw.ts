import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { storiesOf } from "../posts/story.ts";
import type { DatedItem } from "./facts.ts";
import { lockTouched, within } from "./order.ts";
import { mayTell, type Teller, type Told } from "./teller.ts";

/** An item that is missing so often in a row, where it should have been, is gone: once may be a slip of the origin's. */
const MISSES = 2;

/** An item that is gone, and its post, if that is still there. */
export interface Leaving {
  key: string;
  post_id: number | null;
}

/** Those of which the origin says that they are gone. */
export async function goneOf(tx: Db, source: Teller, keys: readonly string[]): Promise<Leaving[]> {
  if (keys.length === 0) return [];
  const { platform } = source;
  const listed = tx.engine.rows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  const { rows } = await sql<Leaving & Told>`
    select g.key, g.post_id, g.source_id, s.url as source_url from gathered g join sources s on s.id = g.source_id
    where g.platform = ${platform} and g.key in (select key from (${listed}) as listed)`.execute(tx);
  return rows.filter((told) => mayTell(source, told));
}

/** Those that a whole list of the origin's has left out again. */
export async function missingOf(
  tx: Db,
  { id }: Pick<Teller, "id">,
  items: readonly DatedItem[],
): Promise<Leaving[]> {
  if (items.length === 0) return [];
  const there = tx.engine.rows(JSON.stringify(items.map(({ key }) => ({ key }))), { key: "text" });
  const span = within(id, items);
  const present = sql`key in (select key from (${there}) as listed)`;
  await sql`update gathered set missed = 0 where ${span} and missed > 0 and ${present}`.execute(tx);
  const { rows } = await sql<Leaving & { missed: number }>`
    update gathered set missed = missed + 1 where ${span} and post_id is not null and not (${present})
    returning key, post_id, missed`.execute(tx);
  return rows.filter(({ missed }) => missed >= MISSES);
}

/** The posts of items that left. */
export function postsOf(leaving: readonly Leaving[]): number[] {
  return [...new Set(leaving.flatMap(({ post_id }) => post_id ?? []))];
}

/** Removes their posts; gives back how many. They are forgotten, too: what comes back to its origin comes back here. */
export async function withdraw(
  tx: Db,
  platform: OriginPlatform,
  leaving: readonly Leaving[],
): Promise<number> {
  const ids = postsOf(leaving);
  if (ids.length === 0) return 0;
  await removePosts(tx, sql<number>`${tx.engine.oneOf(ids)}`);
  const keys = leaving.flatMap(({ key, post_id }) => (post_id === null ? [] : [{ key }]));
  const listed = tx.engine.rows(JSON.stringify(keys), { key: "text" });
  await sql`delete from gathered
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
  return ids.length;
}

/**
 * Removes some of a source's posts; gives back whether that was all of them. With a post its item is forgotten, whoever tells
 * of it by now; and items whose posts are another's go back to that one.
 */
export async function removeSome(
  tx: Db,
  { id, platform }: Pick<Teller, "id" | "platform">,
  batch: number,
): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts where source_id = ${id}
    union all select post_id from removed_posts where source_id = ${id} order by id limit ${batch}`;
  const ids = (await posts.execute(tx)).rows.map((post) => post.id);
  if (ids.length > 0) await removeWithItems(tx, ids);
  if (ids.length === batch) return false;
  if (await handBack(tx, id, platform, batch)) return false;
  const keys = sql`select key from gathered where source_id = ${id} order by posted_at limit ${batch}`;
  const forgotten = await sql`delete from gathered where platform = ${platform} and key in (${keys})`.execute(
    tx,
  );
  return (forgotten.numAffectedRows ?? 0n) < BigInt(batch);
}

/** Gives back whether there may be more. */
async function handBack(tx: Db, id: number, platform: OriginPlatform, batch: number): Promise<boolean> {
  const keys = sql`select g.key from gathered g join posts there on there.id = g.post_id
    where g.source_id = ${id} and there.source_id is not null limit ${batch}`;
  const handed = await sql`update gathered set source_id = p.source_id from posts p
    where p.id = gathered.post_id and gathered.platform = ${platform} and gathered.key in (${keys})`.execute(
    tx,
  );
  return (handed.numAffectedRows ?? 0n) === BigInt(batch);
}

async function removeWithItems(tx: Db, posts: readonly number[]): Promise<void> {
  const ids = sql<number>`${tx.engine.oneOf(posts)}`;
  await sql`delete from gathered where post_id in (${ids})`.execute(tx);
  await lockTouched(tx, { stories: await storiesOf(tx, ids), posts, creators: [] });
  await removePosts(tx, ids);
}
