import type { OriginPlatform } from "@tandem/contract/origins";
import { type RawBuilder, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { removePosts } from "../posts/remove-posts.ts";
import type { DatedItem } from "./facts.ts";
import { mayTell, type Teller, type Told } from "./teller.ts";

/** An item that is missing so often in a row, where it should have been, is gone: once may be a slip of the origin's. */
const MISSES = 2;

interface Lost {
  key: string;
  post_id: number | null;
}

/** Removes the posts of items that the origin says are gone; gives back how many. */
export async function withdrawGone(tx: Db, source: Teller, keys: readonly string[]): Promise<number> {
  if (keys.length === 0) return 0;
  const { platform } = source;
  const listed = tx.engine.rows(JSON.stringify(keys.map((key) => ({ key }))), { key: "text" });
  const { rows } = await sql<Lost & Told>`
    select g.key, g.post_id, g.source_id, s.url as source_url from gathered g join sources s on s.id = g.source_id
    where g.platform = ${platform} and g.key in (select key from (${listed}) as listed)`.execute(tx);
  return withdraw(
    tx,
    platform,
    rows.filter((told) => mayTell(source, told)),
  );
}

/** Removes the posts of items that a whole list of the origin's has left out again; gives back how many. */
export async function withdrawMissing(
  tx: Db,
  { id, platform }: Teller,
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

/**
 * Removes some of a source's posts; gives back whether that was all of them. With a post its item is forgotten, whoever tells
 * of it by now; and items whose posts are another's go back to that one.
 */
export async function removeSome(
  tx: Db,
  { id, platform }: Pick<Teller, "id" | "platform">,
  batch: number,
): Promise<boolean> {
  const posts = sql<{ id: number }>`select id from posts where source_id = ${id} order by id limit ${batch}`;
  const ids = (await posts.execute(tx)).rows.map((post) => post.id);
  if (ids.length > 0) await removeWithItems(tx, sql<number>`${tx.engine.oneOf(ids)}`);
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

async function removeWithItems(tx: Db, ids: RawBuilder<number>): Promise<void> {
  await sql`delete from gathered where post_id in (${ids})`.execute(tx);
  await removePosts(tx, ids);
}
