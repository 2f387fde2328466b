import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DisjointRanges, Engine } from "../../storage/engine.ts";
import { REMOVED_RANK } from "../../storage/removed.ts";
import { and, type Condition, type Ids, type Merge } from "./feed-filters.ts";
import { aboveArchived, orderBy, window } from "./feed-order.ts";
import type { Selection } from "./feed-query.ts";

/* Posts of many ranges at once, such as those of everyone that a reader follows. */

/** The latest posts with followed hashtags, or in followed communities, among which the hot feed looks. */
const HOT_TOPICS = 500;

/** Posts of creators, and of topics, each once. The hot feed has those of the latest posts of topics. */
export function mergedIds(
  engine: Engine,
  s: Selection,
  [byCreators, ...topics]: readonly [Merge, ...Merge[]],
  limit: number,
  conditions: Condition[],
): Ids {
  const first = s.hot
    ? hottestIds(engine, s, byCreators, limit, conditions)
    : newestIds(engine, s, byCreators, limit, conditions);
  if (topics.length === 0 && !s.hot) return first;
  const others = topics.map((topic) => newestIds(engine, s, topic, s.hot ? HOT_TOPICS : limit, conditions));
  const branches = [first, ...others].map((ids) => sql`select id from (${ids}) as branch`);
  const merged = sql`${sql.join(branches, sql` union `)}`;
  if (!s.hot) return sql`select id from (${merged}) as merged order by id desc limit ${sql.lit(limit)}`;
  return sql`select p.id from (${merged}) as merged cross join posts p where p.id = merged.id
    order by ${orderBy(s)} ${window(s, limit)}`;
}

/**
 * The hottest posts by many creators. First finds each creator's best post, and keeps the best of these, as many as a page needs.
 * The lowest of them is a floor: as many posts reach it as the page needs. Then only posts that reach the floor are read,
 * and only from those creators. So most creators cost one index lookup.
 */
function hottestIds(
  engine: Engine,
  s: Selection,
  { rows }: Merge,
  limit: number,
  conditions: Condition[],
): Ids {
  const take = sql`${sql.lit(limit)} + ${s.skip}`;
  const order = orderBy(s);
  const by = (creator: RawBuilder<unknown>) => [
    sql`p.creator_id = ${creator}`,
    ...aboveArchived(s),
    ...conditions,
  ];
  const best = sql`select p.id from posts p where ${and(by(sql`f.creator_id`))} order by ${order} limit 1`;
  // With equal ranks the newest comes first, as in the feed itself.
  const ordered = sql`select bests.creator_id, p.hot_rank as best from (select f.creator_id, (${best}) as best from ${rows}) as bests
    cross join posts p where p.id = bests.best order by ${order}`;
  const floor = sql`select case when count(*) < ${take} then ${sql.lit(REMOVED_RANK)} else min(best) end from top`;
  const aboveFloor = sql`select p.id from posts p
    where ${and([...by(sql`top.creator_id`), sql`p.hot_rank >= (${floor})`])} order by ${order} limit ${take}`;
  return sql<{ id: number }>`
    with top as (${ordered} limit ${take})
    select p.id from (select found.id ${engine.withPostsOfEach(sql`top`, aboveFloor)}) as best cross join posts p
    where p.id = best.id order by ${order} limit ${take}`;
}

/**
 * How many posts of each of many ranges are read first: together about half as many again as are wanted. A power of two, so that there are
 * few different queries.
 */
export function firstOfEach(count: number, wanted: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, Math.min(wanted, (1.5 * wanted) / count))));
}

/**
 * The newest posts of many ranges, each once; a post can be in several. As with the hottest, the last of as many posts as are wanted is a
 * floor, here among the first posts of each range. Then only ranges of those posts are read.
 */
function newestIds(
  engine: Engine,
  s: Selection,
  { rows, count, keys, overlap, range }: Merge,
  wanted: number,
  conditions: Condition[],
): Ids {
  const { from, where, id } = range;
  const columns = sql.join(keys.map((key) => sql.ref(`f.${key}`)));
  const cursor = s.hot ? undefined : sql`${s.below}`;
  // One upper bound at most: SQLite seeks to the first of several, and compares each row with the others.
  const newest: DisjointRanges["newest"] = (limit, { below = cursor, from: lowest } = {}) => {
    const upper = below ? [sql<SqlBool>`${id} < ${below}`] : [];
    const lower = lowest ? [sql<SqlBool>`${id} >= ${lowest}`] : [];
    return sql`select ${id} from ${from}
      where ${and([where, ...upper, ...lower, ...conditions])} order by ${id} desc limit ${sql.lit(limit)}`;
  };
  if (engine.newestOfDisjoint && !overlap) return engine.newestOfDisjoint({ rows, keys, newest }, wanted);
  const take = sql.lit(wanted);
  const first = newest(firstOfEach(count, wanted));
  const aboveFloor = newest(wanted, { from: sql`(select id from lowest)` });
  const reaching = sql`(select distinct ${columns} from firsts f where id >= (select id from lowest)) as f`;
  return sql<{ id: number }>`
    with f as materialized (select ${columns} from ${rows}),
    firsts as materialized (
      select ${columns}, found.id ${engine.withPostsOfEach(sql`f`, first)}
    ),
    lowest as materialized (
      select case when count(*) < ${take} then 0 else min(id) end as id
      from (select distinct id from firsts order by id desc limit ${take}) as highest
    )
    select distinct found.id ${engine.withPostsOfEach(reaching, aboveFloor)} order by found.id desc limit ${take}`;
}
