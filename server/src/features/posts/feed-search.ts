import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { type SqlBool, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { type FeedPage, readPosts } from "./feed.queries.ts";
import type { Ids } from "./feed-filters.ts";
import { allConditions, candidateIds, feedIds, idsByDate, isNarrow, lastByDate } from "./feed-ids.ts";
import { orderBy } from "./feed-order.ts";
import { isByDate, type Selection } from "./feed-query.ts";

/**
 * How many posts to check in the feed's order before querying the text index: first FIRST_PROBE, which tell how common the words are,
 * and then as many as should fill the page, up to PROBED in all. If PROBED posts wouldn't fill it, the index is faster.
 */
const FIRST_PROBE = 100;
const PROBED = 1000;
/** How many matches to check first, and then before testing whether the feed itself is shorter. */
const FIRST_BATCH = 100;
const SECOND_BATCH = 2000;
/** Posts checked per batch at most: some tens of milliseconds, during which this process does nothing else. */
const BATCH = 10_000;

/** `stoppedAt` is the id of the last post checked, if the search stopped there before the feed's end; newest first only. */
export type SearchPage = FeedPage & { stoppedAt?: number };

/**
 * A page of a feed filtered by words or by when posts were posted. Every term occurs in title or body. Common words are found quickly
 * by scanning the feed, rare words by the text index. Both ways give the same result.
 */
export async function searchFeed(db: Db, s: Selection): Promise<SearchPage> {
  if (isByDate(s)) return searchByDate(db, s);
  return (await probe(db, s)) ?? (s.hot ? searchHottest(db, s) : searchNewest(db, s));
}

/** The page, if the first posts of the feed fill it; otherwise null. */
async function probe(db: Db, s: Selection): Promise<SearchPage | null> {
  const wanted = s.take + 1 + s.skip;
  const found: number[] = [];
  let [below, skip] = [s.below, 0];
  // Posts of followed or listed creators are merged from many ranges, which costs more.
  const isMerged = s.followed || s.list !== null;
  const depth = isMerged ? FIRST_PROBE : PROBED;
  for (let [probed, size] = [0, FIRST_PROBE]; ; ) {
    const at = { ...s, below, skip };
    const ids = isMerged ? feedIds(db, at, size) : candidateIds(at, size);
    const checked = await check(db, s, ids, size, wanted - found.length);
    // A post may have moved down in the hot order since the first batch.
    found.push(...checked.ids.filter((id) => !found.includes(id)));
    if (checked.ended || found.length === wanted) return page(db, s, found);
    probed += size;
    const missing = wanted - found.length;
    const isLikely = found.length * (depth / probed) >= wanted;
    // The index finds the newest matches first, but for the hottest all of them are needed.
    if (probed >= depth || !(s.hot ? found.length > 0 : isLikely)) return null;
    if (s.hot) skip += size;
    else below = checked.last;
    size = Math.min(depth - probed, withMargin((missing * probed) / found.length));
  }
}

/** A quarter more. */
const withMargin = (count: number): number => Math.max(32, roundedUp(count * 1.25));

/** One of few numbers, because each makes a statement of its own. With a limit that is a parameter, SQLite takes almost twice as long. */
const roundedUp = (count: number): number => 2 ** Math.ceil(Math.log2(count));

/** Scans the text index or, where that is longer or can't narrow the terms, the feed. */
async function searchNewest(db: Db, s: Selection): Promise<SearchPage> {
  const wanted = s.take + 1;
  const ids: number[] = [];
  let [useIndex, below] = [true, s.below];
  // Nearly all matches that the index finds pass.
  for (const size of batchSizes(withMargin(wanted))) {
    const matches = useIndex ? await indexMatches(db, s, below, size) : null;
    useIndex = matches !== null;
    const batch = matches ?? candidateIds({ ...s, below }, size);
    const checked = await check(db, s, batch, size, wanted - ids.length);
    ids.push(...checked.ids);
    if (checked.ended || ids.length === wanted) return page(db, s, ids);
    below = checked.last;
    if (size === SECOND_BATCH)
      useIndex &&= !(await endsWithin(db, candidateIds({ ...s, below }, BATCH), BATCH));
    await yieldToEventLoop();
  }
  return { ...(await page(db, s, ids)), stoppedAt: below };
}

/** Scans the posts of the period, latest first, unless another way to find all matches turns out to be short. */
async function searchByDate(db: Db, s: Selection): Promise<SearchPage> {
  const wanted = s.take + 1;
  const ids: number[] = [];
  let { below } = s;
  for (const size of batchSizes()) {
    const checked = await check(
      db,
      s,
      idsByDate({ ...s, below }, size),
      size,
      wanted - ids.length,
      lastByDate,
    );
    ids.push(...checked.ids);
    if (checked.ended || ids.length === wanted) return page(db, s, ids);
    below = checked.last;
    if (size === SECOND_BATCH) {
      const all = await fewMatches(db, { ...s, below });
      if (all) return page(db, s, [...ids, ...all].slice(0, wanted));
    }
    await yieldToEventLoop();
  }
  return { ...(await page(db, s, ids)), stoppedAt: below };
}

/** What else matches, by date, if few posts contain the words, or few pass the narrowest filter. */
async function fewMatches(db: Db, s: Selection): Promise<number[] | null> {
  const ways = [
    await indexMatches(db, s, MAX_ID, BATCH),
    isNarrow(s) ? candidateIds({ ...s, below: MAX_ID }, BATCH) : null,
  ];
  for (const few of ways) {
    const checked = few && (await check(db, s, few, BATCH, s.take + 1));
    if (checked?.ended) return checked.ids;
  }
  return null;
}

/**
 * Sorts the matches of the text index or, for hashtags alone, the posts with the first one. If these are too many, scans the feed, where a
 * page of matches is found soon.
 */
async function searchHottest(db: Db, s: Selection): Promise<SearchPage> {
  const wanted = s.take + 1 + s.skip;
  const matches = (await indexMatches(db, s, s.below, BATCH)) ?? taggedIds(s);
  if (matches) {
    const checked = await check(db, s, matches, BATCH, wanted);
    if (checked.ended) return page(db, s, checked.ids);
    await yieldToEventLoop();
  }
  const ids: number[] = [];
  let skip = 0;
  for (const size of batchSizes()) {
    const checked = await check(db, s, candidateIds({ ...s, skip }, size), size, wanted - ids.length);
    ids.push(...checked.ids);
    skip += size;
    if (checked.ended || ids.length === wanted) break;
    await yieldToEventLoop();
  }
  return page(db, s, ids);
}

/** The newest posts with the first hashtag; null if none is searched for. */
function taggedIds(s: Selection): Ids | null {
  return s.tags.length === 0 ? null : candidateIds({ ...s, hot: false, skip: 0, below: MAX_ID }, BATCH);
}

/**
 * Up to `wanted` matches above an id, newest first. Like a search, but it ends at that id: first among the newest posts, then among the
 * newest that the text index finds.
 */
export async function newMatches(db: Db, s: Selection, above: number, wanted: number): Promise<number[]> {
  const newer = (ids: Ids): Ids => sql`select id from (${ids}) as newest where id > ${above}`;
  const first = await check(db, s, newer(candidateIds(s, FIRST_BATCH)), FIRST_BATCH, wanted);
  if (first.ended || first.ids.length > 0) return first.ids;
  const depth = limits.newMatchesDepth;
  const matches = await indexMatches(db, s, s.below, depth, above);
  const found = await check(db, s, matches ?? newer(candidateIds(s, depth)), depth, wanted);
  return found.ids;
}

/** The sizes of a search's batches; in total `limits.searchDepth`. */
function* batchSizes(first = FIRST_BATCH): Iterable<number> {
  yield first;
  yield SECOND_BATCH;
  for (let left = limits.searchDepth - first - SECOND_BATCH; left > 0; left -= BATCH)
    yield Math.min(left, BATCH);
}

/** The newest matches of the text index below an id. Null if the index can't narrow these terms. */
async function indexMatches(
  db: Db,
  s: Selection,
  below: number,
  size: number,
  above = 0,
): Promise<Ids | null> {
  if (s.terms.length === 0) return null;
  const matches = await db.engine.postSearch.candidates(db, s.terms, below);
  const newer = above === 0 ? sql`` : sql`where id > ${above}`;
  return (
    matches && sql`select id from ${matches} as matches ${newer} order by id desc limit ${sql.lit(size)}`
  );
}

interface Checked {
  /** The first matching ids, in the feed's order. */
  ids: number[];
  /** The id of the last post of the batch in the feed's order. */
  last: number;
  /** Whether the batch had fewer ids than requested, so that the feed ends with it. */
  ended: boolean;
}

const lowest = sql`(select min(id) from batch)`;

/** Returns up to `wanted` ids of a batch that match the selection and its terms. The batch was requested with `size`. */
async function check(
  db: Db,
  s: Selection,
  batch: Ids,
  size: number,
  wanted: number,
  last = lowest,
): Promise<Checked> {
  const matchesText =
    s.terms.length === 0 ? sql<SqlBool>`1 = 1` : db.engine.postSearch.holds(sql`p.id`, s.terms);
  const conditions = [sql<SqlBool>`p.id = batch.id`, ...allConditions(s, matchesText)];
  const hits = sql`select p.id from batch cross join posts p
    where ${sql.join(conditions, sql` and `)} order by ${orderBy(s)} limit ${sql.lit(roundedUp(wanted))}`;
  const query = sql<{ ids: string | null; last: number | null; size: number }>`
    with batch as materialized (${batch})
    select (select string_agg(cast(id as text), ',') from (${hits}) as hits) as ids,
      ${last} as last, (select count(*) from batch) as size`;
  const [row] = (await query.execute(db)).rows;
  const ids = (row?.ids?.split(",").map(Number) ?? []).slice(0, wanted);
  return { ids, last: Number(row?.last ?? 0), ended: Number(row?.size) < size };
}

async function endsWithin(db: Db, ids: Ids, size: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${ids}) as counted`.execute(db);
  return Number(rows[0]?.n) < size;
}

/** Reads the posts of these ids, except those that the selection skips. */
async function page(db: Db, s: Selection, ids: number[]): Promise<SearchPage> {
  const pageIds = ids.slice(s.skip);
  if (pageIds.length === 0) return { posts: Buffer.alloc(0), ids: [] };
  const posts = await readPosts(db, pageIds, s);
  // If a post of a full page was deleted in the meantime, this must not look like the last page.
  return pageIds.length > s.take && !s.hot ? { ...posts, stoppedAt: pageIds.at(-1) ?? 0 } : posts;
}
