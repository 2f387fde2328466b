import { type RawBuilder, type SqlBool, sql } from "kysely";
import { REMOVED_RANK } from "../../storage/removed.ts";
import type { Db } from "../../storage/storage.ts";
import { notBlocked } from "../people/block-check.ts";
import {
  and,
  anyPost,
  blockConditions,
  type Condition,
  type Ids,
  type IndexedFilter,
  indexedFilters,
  inPeriod,
  isFiltered,
  type Range,
  residualFilters,
} from "./feed-filters.ts";
import { aboveArchived, orderBy, window } from "./feed-order.ts";
import { isByDate, type Selection } from "./feed-query.ts";
import { ranksIn } from "./hot.ts";
import { mergedIds } from "./merged-ids.ts";

/*
 * Selects the ids of a feed by scanning one index in the feed's order. The narrowest filter determines the index; the other
 * filters are checked row by row. A page with one filter therefore costs the same at any table size. A page with several
 * filters costs as many rows as must be scanned to fill it: few if the other filters match often, and every row of the
 * narrowest filter if they never match.
 */

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

/** Spares the scan the posts that were posted long before or after the selection's time. */
function ranksOf({ posted }: Selection): Condition[] {
  if (posted === null) return [];
  const { least, most } = ranksIn(posted);
  return [sql<SqlBool>`p.hot_rank >= ${least} and p.hot_rank <= ${most}`];
}
