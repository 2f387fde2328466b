import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@tandem/contract/limits";
import { type SqlBool, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { type FeedPage, readPosts } from "./feed.queries.ts";
import { allConditions, candidateIds, feedIds, type Ids, orderBy } from "./feed-ids.ts";
import type { Selection } from "./feed-query.ts";

/** So many posts in the feed's own order are looked at before the index of words is asked. */
const PROBE = 1000;
/** Fewer where they have to be gathered from many creators. */
const FOLLOWED_PROBE = 100;
/** So many of the index's finds are looked at before it is asked whether the feed itself isn't shorter. */
const FEW = 2000;
/** The most that is looked at in one go, some hundredths of a second of work: nothing else runs meanwhile. */
const STRETCH = 10_000;

/** `cut` is the last post looked at, where the search ended with it and not with the feed; newest first only. */
export type Found = FeedPage & { cut?: number };

/**
 * A page of a feed narrowed by words. Common words turn up at once in the feed's own order; rare ones are few
 * in the index. Whichever serves, what is found is the same: every term is in title or body.
 */
export async function searchFeed(db: Db, s: Selection): Promise<Found> {
  const size = s.followed ? FOLLOWED_PROBE : PROBE;
  const wanted = s.take + 1 + s.skip;
  const first = (s.followed ? feedIds : candidateIds)({ ...s, skip: 0 }, size);
  const seen = await look(db, s, first, size, wanted);
  if (seen.ended || seen.ids.length === wanted) return page(db, s, seen.ids);
  return s.hot ? hottest(db, s) : newest(db, s);
}

/** Walks along the index of words or, where that is longer or narrows nothing down, along the feed. */
async function newest(db: Db, s: Selection): Promise<Found> {
  const wanted = s.take + 1;
  const ids: number[] = [];
  let [indexed, below] = [true, s.below];
  for (const size of stretches()) {
    const found = indexed ? await indexMatches(db, s, below, size) : null;
    indexed = found !== null;
    const stretch = found ?? candidateIds({ ...s, below }, size);
    const seen = await look(db, s, stretch, size, wanted - ids.length);
    ids.push(...seen.ids);
    if (seen.ended || ids.length === wanted) return page(db, s, ids);
    below = seen.last;
    if (size === FEW) indexed &&= !(await endsWithin(db, candidateIds({ ...s, below }, STRETCH), STRETCH));
    await nextTurn();
  }
  return { ...(await page(db, s, ids)), cut: below };
}

/** Sorts the index's finds or, where they are many, walks along the feed, which meets them soon. */
async function hottest(db: Db, s: Selection): Promise<Found> {
  const wanted = s.take + 1 + s.skip;
  const found = await indexMatches(db, s, s.below, STRETCH);
  if (found) {
    const seen = await look(db, s, found, STRETCH, wanted);
    if (seen.ended) return page(db, s, seen.ids);
    await nextTurn();
  }
  const ids: number[] = [];
  let looked = 0;
  for (const size of stretches()) {
    const seen = await look(db, s, candidateIds({ ...s, skip: looked }, size), size, wanted - ids.length);
    ids.push(...seen.ids);
    looked += size;
    if (seen.ended || ids.length === wanted) break;
    await nextTurn();
  }
  return page(db, s, ids);
}

/** How much is looked at in each go, down to the depth of a search. */
function* stretches(): Iterable<number> {
  yield FEW;
  for (let left = limits.searchDepth - FEW; left > 0; left -= STRETCH) yield Math.min(left, STRETCH);
}

async function indexMatches(db: Db, s: Selection, below: number, size: number): Promise<Ids | null> {
  const found = await db.engine.postSearch.candidates(db, s.terms, below);
  return found && sql`select id from ${found} as found order by id desc limit ${sql.lit(size)}`;
}

interface Seen {
  /** The first of them that the selection admits and that hold its terms, in the feed's order. */
  ids: number[];
  /** The lowest id of all that were looked at. */
  last: number;
  /** There were fewer than asked for. */
  ended: boolean;
}

/** Looks at a stretch of posts that was to have that `size`, for so many as are wanted. */
async function look(db: Db, s: Selection, stretch: Ids, size: number, wanted: number): Promise<Seen> {
  const holds = db.engine.postSearch.holds(sql`p.id`, s.terms);
  const conditions = [sql<SqlBool>`p.id = stretch.id`, ...allConditions(s, holds)];
  const hits = sql`select p.id from stretch cross join posts p
    where ${sql.join(conditions, sql` and `)} order by ${orderBy(s.hot)} limit ${wanted}`;
  const seen = sql<{ ids: string | null; last: number | null; size: number }>`
    with stretch as materialized (${stretch})
    select (select string_agg(cast(id as text), ',') from (${hits}) as hits) as ids,
      (select min(id) from stretch) as last, (select count(*) from stretch) as size`;
  const [row] = (await seen.execute(db)).rows;
  const ids = row?.ids?.split(",").map(Number) ?? [];
  return { ids, last: Number(row?.last ?? 0), ended: Number(row?.size) < size };
}

async function endsWithin(db: Db, ids: Ids, size: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${ids}) as counted`.execute(db);
  return Number(rows[0]?.n) < size;
}

/** The posts of these finds, past those that the selection skips. */
async function page(db: Db, s: Selection, ids: number[]): Promise<Found> {
  const shown = ids.slice(s.skip);
  if (shown.length === 0) return { posts: Buffer.alloc(0), ids: [] };
  const found = await readPosts(db, db.engine.oneOf(shown), s);
  // Should one of a full page be deleted meanwhile, the page isn't the last for that.
  return shown.length > s.take && !s.hot ? { ...found, cut: Math.min(...shown) } : found;
}
