import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import type { DatedItem } from "./facts.ts";

interface Source {
  id: number;
  platform: OriginPlatform;
}

/** An item that is missing so often in a row, where it should have been, is gone: once may be a slip of the origin's. */
const MISSES = 2;

interface Lost {
  key: string;
  post_id: number | null;
}

/** Removes the posts of items that the origin says are gone; gives back how many. */
export async function withdrawGone(tx: Db, { platform }: Source, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const listed = tx.engine.rows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  const { rows } = await sql<Lost>`select key, post_id from gathered
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
  return withdraw(tx, platform, rows);
}

/** Removes the posts of items that a whole list of the origin's has left out again; gives back how many. */
export async function withdrawMissing(
  tx: Db,
  { id, platform }: Source,
  items: readonly DatedItem[],
): Promise<number> {
  if (items.length === 0) return 0;
  const times = items.map(({ postedAt }) => postedAt);
  const there = tx.engine.rows(JSON.stringify(items.map(({ key }) => ({ key }))), { key: "text" });
  const span = sql`source_id = ${id} and posted_at > ${Math.min(...times)} and posted_at < ${Math.max(...times)}`;
  const present = sql`key in (select key from (${there}) as listed)`;
  await sql`update gathered set missed = 0 where ${span} and missed > 0 and ${present}`.execute(tx);
  const { rows } = await sql<Lost & { missed: number }>`
    update gathered set missed = missed + 1 where ${span} and post_id is not null and not (${present})
    returning key, post_id, missed`.execute(tx);
  return withdraw(
    tx,
    platform,
    rows.filter(({ missed }) => missed >= MISSES),
  );
}

/** They are forgotten, too: what comes back to its origin comes back here. */
async function withdraw(tx: Db, platform: OriginPlatform, lost: readonly Lost[]): Promise<number> {
  const ids = lost.flatMap(({ post_id }) => (post_id === null ? [] : [post_id]));
  if (ids.length === 0) return 0;
  await removePosts(tx, sql<number>`${tx.engine.oneOf(ids)}`);
  const keys = lost.flatMap(({ key, post_id }) => (post_id === null ? [] : [{ key }]));
  const listed = tx.engine.rows(JSON.stringify(keys), { key: "text" });
  await sql`delete from gathered
    where platform = ${platform} and key in (select key from (${listed}) as listed)`.execute(tx);
  return ids.length;
}

/** Removes some of a source's posts; gives back whether that was all of them. */
export async function removeSome(tx: Db, { id, platform }: Source, batch: number): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts where source_id = ${id}
    union all select post_id from removed_posts where source_id = ${id} order by id limit ${batch}`;
  const ids = (await posts.execute(tx)).rows.map(({ id }) => id);
  if (ids.length > 0) await removePosts(tx, sql<number>`${tx.engine.oneOf(ids)}`);
  const keys = sql`select key from gathered where source_id = ${id} order by posted_at limit ${batch}`;
  const forgotten = await sql`delete from gathered where platform = ${platform} and key in (${keys})`.execute(
    tx,
  );
  return ids.length < batch && (forgotten.numAffectedRows ?? 0n) < BigInt(batch);
}
