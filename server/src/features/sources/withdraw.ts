import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { storiesOf } from "../posts/story.ts";
import type { DatedItem } from "./facts.ts";
import { type ItemSource, type KnownItem, mayUpdate } from "./item-authority.ts";
import { inOrder, lockTouched } from "./lock-order.ts";

/** An item that is missing so often in a row, where it should have been, is gone: once may be a slip of the origin's. */
const MISSES = 2;

/** An item that is gone, and its post, if that is still there. */
export interface Leaving {
  key: string;
  post_id: number | null;
}

/** Those of which the origin says that they are gone. */
export function goneOf(
  source: ItemSource,
  keys: readonly string[],
  known: ReadonlyMap<string, KnownItem & Leaving>,
): Leaving[] {
  return keys.flatMap((key) => known.get(key) ?? []).filter((told) => mayUpdate(source, told));
}

/** Those that a whole list of the origin's has left out again. */
export async function missingOf(
  tx: Db,
  { id }: Pick<ItemSource, "id">,
  items: readonly DatedItem[],
): Promise<Leaving[]> {
  if (items.length === 0) return [];
  const there = tx.engine.jsonRows(JSON.stringify(items.map(({ key }) => ({ key }))), { key: "text" });
  const span = spanOf(id, items);
  const present = sql`key in (select key from (${there}) as listed)`;
  await sql`update gathered set missed = 0 where ${span} and missed > 0 and ${present}`.execute(tx);
  const { rows } = await sql<Leaving & { missed: number }>`
    update gathered set missed = missed + 1 where ${span} and post_id is not null and not (${present})
    returning key, post_id, missed`.execute(tx);
  return rows.filter(({ missed }) => missed >= MISSES);
}

/** Which items of a source's would stand among these in a whole list. */
export function spanOf(id: number, items: readonly DatedItem[]): RawBuilder<unknown> {
  const times = items.map(({ postedAt }) => postedAt);
  return sql`source_id = ${id} and posted_at > ${Math.min(...times)} and posted_at < ${Math.max(...times)}`;
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
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
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
  { id, platform }: Pick<ItemSource, "id" | "platform">,
  batch: number,
): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts where source_id = ${id}
    union all select post_id from removed_posts where source_id = ${id} order by id limit ${batch}`;
  const ids = (await posts.execute(tx)).rows.map((post) => post.id);
  if (ids.length > 0) {
    // Items are taken before posts are, so those of others wait for the next time.
    await removeWithItems(tx, platform, ids);
    return false;
  }
  if (await handBack(tx, id, platform, batch)) return false;
  const keys = sql`select key from gathered where source_id = ${id} order by posted_at limit ${batch}`;
  const forgotten = await sql`delete from gathered
    where platform = ${platform} and source_id = ${id} and key in (${inOrder(tx, platform, keys)})`.execute(
    tx,
  );
  return (forgotten.numAffectedRows ?? 0n) < BigInt(batch);
}

/** Gives back whether there may be more. */
async function handBack(tx: Db, id: number, platform: OriginPlatform, batch: number): Promise<boolean> {
  const keys = sql`select g.key from gathered g join posts there on there.id = g.post_id
    where g.source_id = ${id} and there.source_id is not null limit ${batch}`;
  const handed = await sql`update gathered set source_id = p.source_id from posts p
    where p.id = gathered.post_id and gathered.platform = ${platform} and gathered.source_id = ${id}
      and gathered.key in (${inOrder(tx, platform, keys)})`.execute(tx);
  return (handed.numAffectedRows ?? 0n) > 0n;
}

async function removeWithItems(tx: Db, platform: OriginPlatform, posts: readonly number[]): Promise<void> {
  const ids = sql<number>`${tx.engine.oneOf(posts)}`;
  const keys = inOrder(tx, platform, sql`select key from gathered where post_id in (${ids})`);
  await sql`delete from gathered where platform = ${platform} and key in (${keys})`.execute(tx);
  await lockTouched(tx, { stories: await storiesOf(tx, ids), posts, creators: [] });
  await removePosts(tx, ids);
}
