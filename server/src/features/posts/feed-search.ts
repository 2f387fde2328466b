import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Db } from "../../storage/storage.ts";
import { type FeedPage, readPosts } from "./feed.queries.ts";
import { allConditions, feedIds, type Ids, orderBy } from "./feed-ids.ts";
import type { Selection } from "./selection.ts";

/** So many posts in the feed's own order are looked at before the index of words is asked. */
const PROBE = 1000;
/** Fewer where they have to be gathered from many creators. */
const FOLLOWED_PROBE = 100;
/** Up to so many finds are sorted by rank; where there are more, a walk in the order of rank meets them soon. */
const SORTABLE = 2000;

const nothing: FeedPage = { posts: Buffer.alloc(0), ids: [] };

/**
 * A page of a feed narrowed by words. Common words turn up at once in the feed's own order; rare ones are few
 * in the index. Whichever serves, the answer is the same: every term is in title or body.
 */
export async function searchFeed(db: Db, s: Selection): Promise<FeedPage> {
  return (await probe(db, s)) ?? (s.hot ? await hottest(db, s) : await newest(db, s));
}

/** The page, if the first posts of the feed hold all of it; null if the rest must be searched. */
async function probe(db: Db, s: Selection): Promise<FeedPage | null> {
  const wanted = s.take + 1 + s.skip;
  const size = s.followed ? FOLLOWED_PROBE : PROBE;
  const first = feedIds({ ...s, skip: 0 }, size);
  const ids = sql<{ id: number }>`select p.id from posts p where p.id in (${first}) and ${holds(db, s)}
    order by ${orderBy(s.hot)} limit ${wanted}`;
  const { rows } = await ids.execute(db);
  if (rows.length < wanted && !(await endsWithin(db, first, size))) return null;
  return page(db, s, rows.slice(s.skip, wanted));
}

async function endsWithin(db: Db, first: Ids, size: number): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from (${first}) as probed`.execute(db);
  return Number(rows[0]?.n) < size;
}

async function newest(db: Db, s: Selection): Promise<FeedPage> {
  const found = await db.engine.postSearch.candidates(db, s.terms, s.below);
  const ids = found ? foundIds(db, s, found, s.take + 1) : feedIds(s, s.take + 1, [holds(db, s)]);
  return readPosts(db, ids, s);
}

async function hottest(db: Db, s: Selection): Promise<FeedPage> {
  const found = await db.engine.postSearch.candidates(db, s.terms, s.below);
  const few = found ? (await foundIds(db, s, found, SORTABLE + 1).execute(db)).rows : null;
  if (!few || few.length > SORTABLE) {
    return readPosts(db, feedIds(s, s.take + 1, [holds(db, s)]), s);
  }
  if (few.length === 0) return nothing;
  const all = sql.join(few.map((row) => row.id));
  const ids = sql<{ id: number }>`select p.id from posts p where p.id in (${all})
    order by ${orderBy(s.hot)} limit ${s.take + 1} offset ${s.skip}`;
  return readPosts(db, ids, s);
}

/** Those of the index's finds that the selection admits, newest first. */
function foundIds(db: Db, s: Selection, found: RawBuilder<{ id: number }>, limit: number): Ids {
  const conditions = [sql<SqlBool>`p.id = found.id`, ...allConditions(s), holds(db, s)];
  return sql`select found.id from ${found} as found cross join posts p
    where ${sql.join(conditions, sql` and `)} order by found.id desc limit ${limit}`;
}

function holds(db: Db, s: Selection): RawBuilder<SqlBool> {
  return db.engine.postSearch.holds(sql`p.id`, s.terms);
}

async function page(db: Db, s: Selection, ids: { id: number }[]): Promise<FeedPage> {
  if (ids.length === 0) return nothing;
  return readPosts(db, sql`${sql.join(ids.map((row) => row.id))}`, s);
}
