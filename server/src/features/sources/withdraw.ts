import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import { storiesOf } from "../posts/story.ts";
import type { DatedItem } from "./facts.ts";
import { type ItemSource, type KnownItem, mayUpdate } from "./item-authority.ts";
import { lockItems, lockRows } from "./lock-order.ts";

/** An item counts as deleted once this many visits in a row have missed it. A single miss may be an error of the origin's. */
const MAX_MISSES = 2;

/** An item that was deleted at its origin, and its post, if it still exists. */
export interface WithdrawnItem {
  key: string;
  post_id: number | null;
}

/** The known items that the origin reports as deleted. */
export function reportedDeleted(
  source: ItemSource,
  keys: readonly string[],
  known: ReadonlyMap<string, KnownItem & WithdrawnItem>,
): WithdrawnItem[] {
  return keys.flatMap((key) => known.get(key) ?? []).filter((item) => mayUpdate(source, item));
}

/** Counts misses against a complete list of items, and returns the items that count as deleted. */
export async function repeatedlyMissing(
  tx: Db,
  { id }: Pick<ItemSource, "id">,
  items: readonly DatedItem[],
): Promise<WithdrawnItem[]> {
  if (items.length === 0) return [];
  const listed = tx.engine.jsonRows(JSON.stringify(items.map(({ key }) => ({ key }))), { key: "text" });
  const span = spanOf(id, items);
  const present = sql`key in (select key from (${listed}) as listed)`;
  await sql`update gathered set missed = 0 where ${span} and missed > 0 and ${present}`.execute(tx);
  const { rows } = await sql<WithdrawnItem & { missed: number }>`
    update gathered set missed = missed + 1 where ${span} and post_id is not null and not (${present})
    returning key, post_id, missed`.execute(tx);
  return rows.filter(({ missed }) => missed >= MAX_MISSES);
}

/** A condition for a source's items within the time span of these: a complete list would include them. */
export function spanOf(id: number, items: readonly DatedItem[]): RawBuilder<unknown> {
  const times = items.map(({ postedAt }) => postedAt);
  return sql`source_id = ${id} and posted_at > ${Math.min(...times)} and posted_at < ${Math.max(...times)}`;
}

/** The distinct posts of withdrawn items. */
export function postsOf(withdrawn: readonly WithdrawnItem[]): number[] {
  return [...new Set(withdrawn.flatMap(({ post_id }) => post_id ?? []))];
}

/** Deletes the items and their posts, and returns how many posts. An item that reappears at its origin is imported again. */
export async function withdraw(
  tx: Db,
  platform: OriginPlatform,
  withdrawn: readonly WithdrawnItem[],
): Promise<number> {
  const ids = postsOf(withdrawn);
  if (ids.length === 0) return 0;
  await removePosts(tx, sql<number>`${tx.engine.oneOf(ids)}`);
  const keys = withdrawn.flatMap(({ key, post_id }) => (post_id === null ? [] : [{ key }]));
  const listed = tx.engine.jsonRows(JSON.stringify(keys), { key: "text" });
  await sql`delete from gathered
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
  return ids.length;
}

/**
 * Removes one batch of a source's content; returns whether nothing is left. First deletes its posts with their items,
 * whichever source updates these now. Then hands items whose posts belong to another source back to that source, and
 * deletes the remaining items.
 */
export async function removeBatch(
  tx: Db,
  { id, platform }: Pick<ItemSource, "id" | "platform">,
  batch: number,
): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts where source_id = ${id}
    union all select post_id from removed_posts where source_id = ${id} order by id limit ${batch}`;
  const ids = (await posts.execute(tx)).rows.map((post) => post.id);
  if (ids.length > 0) {
    // Lock order: items before posts. So the source's remaining items wait for a later batch.
    await removeWithItems(tx, platform, ids);
    return false;
  }
  if (await returnItems(tx, id, platform, batch)) return false;
  const keys = sql`select key from gathered where source_id = ${id} order by posted_at limit ${batch}`;
  const deleted = await sql`delete from gathered
    where platform = ${platform} and source_id = ${id} and key in (${lockItems(tx, platform, keys)})`.execute(
    tx,
  );
  return (deleted.numAffectedRows ?? 0n) < BigInt(batch);
}

/** Returns items to the sources that their posts belong to. Returns whether there may be more. */
async function returnItems(tx: Db, id: number, platform: OriginPlatform, batch: number): Promise<boolean> {
  const keys = sql`select g.key from gathered g join posts p on p.id = g.post_id
    where g.source_id = ${id} and p.source_id is not null limit ${batch}`;
  const returned = await sql`update gathered set source_id = p.source_id from posts p
    where p.id = gathered.post_id and gathered.platform = ${platform} and gathered.source_id = ${id}
      and gathered.key in (${lockItems(tx, platform, keys)})`.execute(tx);
  return (returned.numAffectedRows ?? 0n) > 0n;
}

async function removeWithItems(tx: Db, platform: OriginPlatform, posts: readonly number[]): Promise<void> {
  const ids = sql<number>`${tx.engine.oneOf(posts)}`;
  const keys = lockItems(tx, platform, sql`select key from gathered where post_id in (${ids})`);
  await sql`delete from gathered where platform = ${platform} and key in (${keys})`.execute(tx);
  await lockRows(tx, { stories: await storiesOf(tx, ids), posts, creators: [] });
  await removePosts(tx, ids);
}
