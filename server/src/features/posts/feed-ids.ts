import { nativePlatform, type Platform } from "@tandem/contract/origins";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { Engine } from "../../storage/engine.ts";
import { ARCHIVED_RANK, REMOVED_RANK } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { notBlocked } from "../people/block-check.ts";
import { type AuthorshipFilter, isByDate, isSearch, type Selection } from "./feed-query.ts";
import { ranksIn } from "./hot.ts";

/*
 * Selects the ids of a feed by scanning one index in the feed's order. The narrowest filter determines the index; the other
 * filters are checked row by row. A page with one filter therefore costs the same at any table size. A page with several
 * filters costs as many rows as must be scanned to fill it: few if the other filters match often, and every row of the
 * narrowest filter if they never match.
 */

export type Condition = RawBuilder<SqlBool>;
export type Ids = RawBuilder<{ id: number }>;

/**
 * The feed's query from `from` to `limit`, and the id that its cursors name, if one range of one index yields it in order. Null if
 * several ranges must be merged or the rows must be sorted first.
 */
export function singleRange(
  s: Selection,
  limit: number,
): { scan: RawBuilder<unknown>; id: RawBuilder<unknown> } | null {
  const [driving, ...others] = indexedFilters(s);
  const [only, ...more] = driving ? driving.ranges : [allPosts(s)];
  if (!only || more.length > 0 || (s.hot && (s.saved || s.liked || s.collection !== null))) return null;
  const id = s.collection === null || s.hot ? sql`p.id` : only.id;
  return { scan: sql`${scan(s, only, rowConditions(s, others))} ${window(s, limit)}`, id };
}

/** The ids of a feed in its order: `limit` of them, after `skip`. */
export function feedIds(db: Db, s: Selection, limit: number): Ids {
  const [driving, ...others] = indexedFilters(s);
  const conditions = rowConditions(s, others);
  if (driving?.merges) return mergedIds(db.engine, s, driving.merges, limit, conditions);
  return scanIds(s, driving, limit, conditions);
}

/**
 * The ids that a search scans: the posts of the narrowest filter, without `allConditions`, so that the work is
 * proportional to `limit`. Ignores `followed` and `list`: merging all those creators would cost too much.
 */
export function candidateIds(s: Selection, limit: number): Ids {
  return scanIds(s, indexedFilters({ ...s, followed: false, list: null })[0], limit, []);
}

/** The ids of the posts of a period, latest first, after the cursor. */
export function idsByDate(s: Selection, limit: number): Ids {
  const conditions = [...inPeriod(s, sql`p.posted_at`), isAfterCursor(s)];
  return sql`select p.id, p.posted_at from posts p where ${and(conditions)}
    order by ${orderBy(s)} limit ${sql.lit(limit)}`;
}

/** The last of the ids that `idsByDate` lists. */
export const lastByDate = sql`(select id from batch order by posted_at, id limit 1)`;

function inPeriod({ posted }: Selection, at: RawBuilder<unknown>): Condition[] {
  return posted === null ? [] : [sql`${at} >= ${posted.from} and ${at} < ${posted.before}`];
}

/** Lists by date begin again if the post at their cursor is gone. */
function isAfterCursor({ posted, below }: Selection): Condition {
  const at = sql`coalesce((select posted_at from posts where id = ${below}), ${posted?.before ?? 0})`;
  return sql`(p.posted_at, p.id) < (${at}, ${below})`;
}

/** Whether a filter leaves so few posts that they may be fewer than those of a period. */
export function isNarrow(s: Selection): boolean {
  return (
    s.collection !== null ||
    s.saved ||
    s.liked ||
    s.creators !== null ||
    s.source !== null ||
    s.communities.length > 0 ||
    s.tags.length > 0
  );
}

function scanIds(
  s: Selection,
  driving: IndexedFilter | undefined,
  limit: number,
  conditions: Condition[],
): Ids {
  const ranges = driving?.ranges ?? [allPosts(s)];
  const [only] = ranges;
  if (only && ranges.length === 1) return sql`select p.id ${scan(s, only, conditions)} ${window(s, limit)}`;
  const branches = ranges.map(
    (range) =>
      sql`select * from (select p.id, p.hot_rank ${scan(s, range, conditions)} limit ${sql.lit(limit)} + ${s.skip}) as branch`,
  );
  const order = s.hot ? sql`hot_rank desc, id desc` : sql`id desc`;
  const merged = sql`select id from (${sql.join(branches, sql` union all `)}) as merged order by ${order}`;
  return sql<{ id: number }>`select id from (${merged} ${window(s, limit)}) as page`;
}

/**
 * All conditions of a selection plus its text match, for posts found by other means. All are written so that the planner
 * can't use an index for them. Blocks are expensive to look up, so they are checked only on posts whose text matches.
 */
export function allConditions(s: Selection, matchesText: Condition): Condition[] {
  const unblocked = blockConditions(s);
  const last =
    unblocked.length > 0 ? sql<SqlBool>`case when ${matchesText} then ${and(unblocked)} end` : matchesText;
  const position = isByDate(s) ? [isAfterCursor(s)] : [];
  return [...indexedFilters(s).map((filter) => filter.condition), ...residualFilters(s), ...position, last];
}

/** Those of these ids that a feed shows. */
export function shownIds(db: Db, ids: readonly number[], s: Selection): Ids {
  const conditions = [sql<SqlBool>`p.id in (${db.engine.oneOf(ids)})`, sql<SqlBool>`p.removed = 0`];
  return sql`select p.id from posts p where ${and([...conditions, ...allConditions(s, sql<SqlBool>`1 = 1`)])}`;
}

/** What a post `p` must satisfy, no matter who wrote it. */
export function itemConditions(s: Selection): Condition[] {
  const filters = indexedFilters({ ...s, followed: false }).map((filter) => filter.condition);
  return [...filters, ...residualFilters({ ...s, archived: "with" }), ...blockConditions(s)];
}

/** Whether the caller's feed of followed creators shows what this creator reposts. */
export function showsRepostsOf(s: Selection, creator: RawBuilder<unknown>): Condition {
  const muted = s.muted ? [sql`${creator} not in (select id from (${s.muted.ids}) as muted)`] : [];
  const unblocked = s.blocksOf.map((id) => notBlocked(sql`${id}`, creator));
  const followed = sql`exists (select 1 from follows x where x.user_id = ${s.caller} and x.creator_id = ${creator})`;
  return sql`${and([followed, ...muted, ...unblocked])}`;
}

/** Whether the caller sees a row `repost` of reposts, as far as AI preferences go. */
export const showsAiOf = (s: Selection, repost: "r" | "later"): Condition =>
  s.aiReposts ? sql`1 = 1` : sql`${sql.ref(`${repost}.by_ai`)} = 0`;

/** In a feed with reposts, a post that is reposted is where its latest repost is. */
function notReposted(s: Selection): Condition[] {
  if (!s.reposts) return [];
  return [
    sql`case when exists (
      select 1 from reposts r where r.post_id = p.id and ${showsAiOf(s, "r")} and ${showsRepostsOf(s, sql`r.creator_id`)}) then null else 1 end is not null`,
  ];
}

/** What each scanned row must satisfy besides the range. */
function rowConditions(s: Selection, others: IndexedFilter[]): Condition[] {
  const filters = others.map((filter) => filter.condition);
  return [...filters, ...residualFilters(s), ...blockConditions(s), ...notReposted(s)];
}

export function orderBy(s: Pick<Selection, "hot" | "posted">): RawBuilder<unknown> {
  if (s.hot) return sql`p.hot_rank desc, p.id desc`;
  return isByDate(s) ? sql`p.posted_at desc, p.id desc` : sql`p.id desc`;
}

interface Range {
  from: RawBuilder<unknown>;
  where: Condition;
  /** The sort key of the newest-first order. */
  id: RawBuilder<unknown>;
}

const posts = sql`posts p`;
const anyPost: Range = { from: posts, where: sql`1 = 1`, id: sql`p.id` };
/** Uses the expression of its index, which is null for duplicates and removed posts, so that scans never read them. */
const withoutDuplicates: Range = { ...anyPost, id: sql`(case when p.story_rest = 0 then p.id end)` };
/** Stops above the rank that all removed posts have. */
const ranked: Range = { ...anyPost, where: sql`p.hot_rank > ${sql.lit(REMOVED_RANK)}` };

function allPosts(s: Selection): Range {
  if (s.hot) return ranked;
  return isFiltered(s) ? anyPost : withoutDuplicates;
}

/** Scans a range in the feed's order: the query without its columns and its limit. */
function scan(s: Selection, range: Range, conditions: Condition[]): RawBuilder<unknown> {
  const order = s.hot ? sql`p.hot_rank desc, p.id desc` : sql`${range.id} desc`;
  const within = s.hot ? [...ranksOf(s), ...aboveArchived(s)] : [sql<SqlBool>`${range.id} < ${s.below}`];
  return sql`from ${range.from} where ${and([range.where, ...within, ...conditions])} order by ${order}`;
}

/** Spares hot feeds the archived posts, of which one creator can have very many. */
function aboveArchived({ archived }: Selection): Condition[] {
  return archived === "without" ? [sql`p.hot_rank > ${sql.lit(ARCHIVED_RANK)}`] : [];
}

/** Spares the scan the posts that were posted long before or after the selection's time. */
function ranksOf({ posted }: Selection): Condition[] {
  if (posted === null) return [];
  const { least, most } = ranksIn(posted);
  return [sql<SqlBool>`p.hot_rank >= ${least} and p.hot_rank <= ${most}`];
}

/** Rows `f`, whose posts are merged. */
interface Merge {
  rows: RawBuilder<unknown>;
  /** How many rows, about. */
  count: number;
  /** The columns of `f` on which the range depends. */
  keys: string[];
  range: Range;
}

/** The latest posts with followed hashtags, or in followed communities, among which the hot feed looks. */
const HOT_TOPICS = 500;

/** Posts of creators, and of topics, each once. The hot feed has those of the latest posts of topics. */
function mergedIds(
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
  { rows, count, keys, range }: Merge,
  wanted: number,
  conditions: Condition[],
): Ids {
  const { from, where, id } = range;
  const columns = sql.join(keys.map((key) => sql.ref(`f.${key}`)));
  const below = s.hot ? [] : [sql<SqlBool>`${id} < ${s.below}`];
  const inRange = (limit: number, ...more: Condition[]) => sql`select ${id} from ${from}
    where ${and([where, ...below, ...more, ...conditions])} order by ${id} desc limit ${sql.lit(limit)}`;
  const take = sql.lit(wanted);
  const first = inRange(firstOfEach(count, wanted));
  const aboveFloor = inRange(wanted, sql`${id} >= (select id from lowest)`);
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

/** The limit is a literal: SQLite plans better with a known number than with a parameter. */
function window(s: Selection, limit: number): RawBuilder<unknown> {
  return s.hot ? sql`limit ${sql.lit(limit)} offset ${s.skip}` : sql`limit ${sql.lit(limit)}`;
}

/** A filter in two forms: index ranges to scan, or a condition on rows that another filter's scan yields. */
interface IndexedFilter {
  ranges: Range[];
  /** What is merged, instead of ranges: posts of creators, and of topics. */
  merges?: [Merge, ...Merge[]];
  condition: Condition;
}

/** The selection's filters, typically narrowest first. */
function indexedFilters(s: Selection): IndexedFilter[] {
  const found: IndexedFilter[] = [];
  if (s.collection !== null) found.push(collectionFilter(s));
  if (s.saved) found.push(markFilter("post_saves", s.caller));
  if (s.liked) found.push(markFilter("post_likes", s.caller));
  if (s.creators) found.push(columnFilter("creator_id", s.creators));
  if (!s.hot) found.push(...s.tags.map(tagFilter));
  if (s.quoted !== null) found.push(quotesFilter(s.quoted));
  if (s.source !== null) found.push(columnFilter("source_id", [s.source]));
  if (s.nativeCommunity) found.push(nativeCommunityFilter(s.communities));
  else for (const { key } of s.communities) found.push(columnFilter("community_key", [key]));
  if (s.list !== null) {
    const condition = sql<SqlBool>`exists (select 1 from list_members x where x.list_id = ${s.list} and x.creator_id = p.creator_id)`;
    found.push({
      ranges: [],
      merges: [byCreators(s, sql`list_members f where f.list_id = ${s.list}`)],
      condition,
    });
  }
  if (s.followed) found.push(followedFilter(s));
  if (s.video) found.push(videoFilter(s.platform));
  const byAuthorship = s.authorships
    ? [authorshipFilter(s.authorships, s.statedByOrigin ? s.platform : null)]
    : [];
  const byPlatform =
    s.platform !== null && !s.video && !s.nativeCommunity ? [columnFilter("platform", [s.platform])] : [];
  // Most of a platform's posts say nothing about their provenance, and most posts that say nothing are other platforms'.
  found.push(...(s.statedByOrigin ? [...byAuthorship, ...byPlatform] : [...byPlatform, ...byAuthorship]));
  return found;
}

/** Posts by creators that the caller follows, and with the hashtags and in the communities that they follow. */
function followedFilter(s: Selection): IndexedFilter {
  const conditions = [
    sql`exists (select 1 from follows x where x.user_id = ${s.caller} and x.creator_id = p.creator_id)`,
  ];
  const merges: [Merge, ...Merge[]] = [byCreators(s, sql`follows f where f.user_id = ${s.caller}`)];
  if (s.followedTags > 0) {
    conditions.push(
      sql`exists (select 1 from post_tags t join tag_follows x on x.tag = t.tag where t.post_id = p.id and x.user_id = ${s.caller})`,
    );
    merges.push(followedTags(s));
  }
  if (s.followedCommunities > 0) {
    conditions.push(
      sql`exists (select 1 from community_follows x where x.user_id = ${s.caller}
        and x.platform = p.platform and x.community_key = p.community_key)`,
    );
    merges.push(followedCommunities(s));
  }
  const condition = sql<SqlBool>`(${sql.join(conditions, sql` or `)})`;
  return { ranges: [], merges, condition };
}

const byCreators = (s: Selection, rows: RawBuilder<unknown>): Merge => ({
  rows,
  count: s.mergedCreators,
  keys: ["creator_id"],
  range: { ...anyPost, where: sql`p.creator_id = f.creator_id` },
});

const followedTags = (s: Selection): Merge => ({
  rows: sql`tag_follows f where f.user_id = ${s.caller}`,
  count: s.followedTags,
  keys: ["tag"],
  range: tagged(sql`f.tag`),
});

/** The posts with a hashtag. */
const tagged = (tag: unknown): Range => ({
  from: sql`post_tags t cross join posts p`,
  // The operation keeps planners from reading all newer posts to join them in order.
  where: sql`t.tag = ${tag} and p.id = (t.post_id + 0) and p.removed = 0`,
  id: sql`t.post_id`,
});

const followedCommunities = (s: Selection): Merge => ({
  rows: sql`community_follows f where f.user_id = ${s.caller}`,
  count: s.followedCommunities,
  keys: ["platform", "community_key"],
  range: {
    from: posts,
    where: sql`p.platform = f.platform and p.community_key = f.community_key`,
    // The expression of its index, so that planners can't take another, in which they would look for the community.
    id: sql`(p.id + 0)`,
  },
});

/** Posts that the caller marked. */
function markFilter(marks: "post_saves" | "post_likes", caller: number | null): IndexedFilter {
  const table = sql.table(marks);
  return {
    ranges: [
      {
        from: sql`${table} s cross join posts p`,
        where: sql`s.user_id = ${caller} and p.id = s.post_id and p.removed = 0`,
        id: sql`s.post_id`,
      },
    ],
    condition: sql`exists (select 1 from ${table} x where x.user_id = ${caller} and x.post_id = p.id)`,
  };
}

const tagFilter = (tag: string): IndexedFilter => ({ ranges: [tagged(tag)], condition: hasTag(tag) });

const hasTag = (tag: string) =>
  sql<SqlBool>`exists (select 1 from post_tags x where x.tag = ${tag} and x.post_id = p.id)`;

/** The posts in a collection. A search takes the newest first, as from the index of words. */
function collectionFilter(s: Selection): IndexedFilter {
  const range = {
    from: sql`collection_posts s cross join posts p`,
    where: sql<SqlBool>`s.collection_id = ${s.collection} and p.id = s.post_id and p.removed = 0`,
    id: isSearch(s) ? sql`s.post_id` : sql`s.id`,
  };
  const condition = sql<SqlBool>`exists (select 1 from collection_posts x where x.collection_id = ${s.collection} and x.post_id = p.id)`;
  return { ranges: [range], condition };
}

/** The posts that quote this one. Removed ones keep naming it. */
function quotesFilter(quoted: number): IndexedFilter {
  const where = sql<SqlBool>`p.quoted_id = ${quoted} and p.removed = 0`;
  const condition = sql<SqlBool>`(coalesce(p.quoted_id, null) = ${quoted} and p.removed = 0)`;
  return { ranges: [{ from: posts, where, id: sql`p.id` }], condition };
}

/** The posts of a community of this service, apart from imported posts of a community with the same name. */
function nativeCommunityFilter(communities: Selection["communities"]): IndexedFilter {
  // A literal, to match the partial index.
  const sets = communities.map(
    ({ key }) =>
      [
        ["platform", sql.lit(nativePlatform)],
        ["community_key", key],
      ] as const,
  );
  return valuesFilter(sets);
}

/** Videos, of one platform if given. An index covers the pair, because a platform may have few videos or none. */
function videoFilter(platform: Platform | null): IndexedFilter {
  // A literal, to match the partial indexes on videos.
  const videos = columnFilter("media_type", [sql.lit("video")]);
  if (platform === null) return videos;
  const where = sql<SqlBool>`p.media_type = 'video' and p.platform = ${platform}`;
  const condition = sql<SqlBool>`${videos.condition} and ${columnFilter("platform", [platform]).condition}`;
  return { ranges: [{ from: posts, where, id: sql`p.id` }], condition };
}

/** @param statedOn the platform, if its origin states the provenance of all of these */
function authorshipFilter(
  authorships: readonly AuthorshipFilter[],
  statedOn: Platform | null,
): IndexedFilter {
  if (statedOn !== null)
    return valuesFilter(
      authorships.map(({ provenance }) => [
        ["platform", statedOn],
        // A literal, to match the partial index.
        ["basis", sql.lit("origin")],
        ["provenance", provenance],
      ]),
    );
  return valuesFilter(
    authorships.map(({ provenance, basis }) => [
      ["provenance", provenance],
      ...(basis === null ? [] : [["basis", basis] as const]),
    ]),
  );
}

function columnFilter(name: string, values: readonly unknown[]): IndexedFilter {
  return valuesFilter(values.map((value) => [[name, value]]));
}

/** Posts with any of these sets of column values. */
function valuesFilter(
  sets: readonly (readonly (readonly [column: string, value: unknown])[])[],
): IndexedFilter {
  if (sets.length === 0) return { ranges: [{ ...anyPost, where: sql`1 = 0` }], condition: sql`1 = 0` };
  const equal = (columns: (typeof sets)[number], of: (column: RawBuilder<unknown>) => RawBuilder<unknown>) =>
    sql<SqlBool>`${and(columns.map(([name, value]) => sql`${of(sql.ref(`p.${name}`))} = ${value}`))}`;
  // Planners can't see through coalesce, so they never use the column's index for this condition.
  const matches = sets.map((columns) => sql`(${equal(columns, (column) => sql`coalesce(${column}, null)`)})`);
  return {
    ranges: sets.map((columns) => ({
      from: posts,
      where: equal(columns, (column) => column),
      id: sql`p.id`,
    })),
    condition: sql`(${sql.join(matches, sql` or `)})`,
  };
}

/** Filters without an index range: always checked row by row. */
function residualFilters(s: Selection): Condition[] {
  const platforms = s.communities.flatMap((community) =>
    community.platforms ? [columnFilter("platform", community.platforms).condition] : [],
  );
  const noDuplicates: Condition[] = isFiltered(s) ? archivedConditions(s) : [sql`p.story_rest = 0`];
  // The operation keeps planners from using the index.
  const ofTime = inPeriod(s, sql`(p.posted_at + 0)`);
  // Newest first, an index has the posts of each.
  const ofTags = s.hot ? s.tags.map(hasTag) : [];
  if (s.caller === null) return [...platforms, ...noDuplicates, ...ofTime, ...ofTags];
  const notSensitive: Condition[] = s.hidesSensitive ? [sql`p.sensitive = 0`] : [];
  return [
    ...platforms,
    ...noDuplicates,
    ...ofTime,
    ...ofTags,
    ...notSensitive,
    ...notMuted(s),
    sql`not exists (select 1 from dismissals x where x.user_id = ${s.caller} and x.post_id = p.id)`,
  ];
}

/** Literals, to match the partial indexes. Unfiltered feeds leave archived posts out with duplicates. */
function archivedConditions({ archived, source, quoted, communities }: Selection): Condition[] {
  if (archived === "only") return [sql`p.archived = 1`];
  // No source and no community has any, and none quotes a post.
  const isWithoutAny = source !== null || quoted !== null || communities.length > 0;
  return archived === "with" || isWithoutAny ? [] : [sql`p.archived = 0`];
}

/** No condition for callers without mutes. The ids are read once for the query, and looked up row by row. */
function notMuted({ muted }: Selection): Condition[] {
  if (muted === null) return [];
  // Phrased so that the planner estimates it to be true for nearly every row.
  return [
    sql`case when p.creator_id in (select id from (${muted.ids}) as muted) then null else 1 end is not null`,
  ];
}

/** No condition for callers without blocks, so only callers with blocks pay for the lookup on each row. */
function blockConditions(s: Selection): Condition[] {
  return s.blocksOf.map((id) => notBlocked(sql`${id}`, sql`p.creator_id`));
}

/**
 * Whether the feed is narrowed to a place, to creators or by words. Such feeds include duplicates: posts of a link that
 * another source posted first.
 */
function isFiltered(s: Selection): boolean {
  const byPlace = s.communities.length > 0 || s.source !== null || s.platform !== null;
  return (
    byPlace ||
    s.quoted !== null ||
    s.creators !== null ||
    s.list !== null ||
    s.collection !== null ||
    s.followed ||
    s.saved ||
    s.liked ||
    s.terms.length > 0 ||
    s.tags.length > 0
  );
}

function and(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
