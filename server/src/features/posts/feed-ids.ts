import type { Platform } from "@tandem/contract/origins";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { REMOVED_RANK } from "../../storage/removed.ts";
import { notBlocked } from "../people/block-check.ts";
import type { Selection } from "./feed-query.ts";

/*
 * Which posts make a feed: ids along one index, in the feed's own order. The narrowest filter chooses the index;
 * the others are looked at row by row. So a page of one filter costs the same at any size of table. A page of
 * several costs what must be looked at until it is full: little where the others admit many of those rows, and a
 * walk through all of the narrowest filter's where they admit none.
 */

export type Condition = RawBuilder<SqlBool>;
export type Ids = RawBuilder<{ id: number }>;

/**
 * The feed from its `from` to its end, in order, where one range of one index holds it; null where several must be
 * merged, or where it must be sorted first.
 */
export function singleRange(s: Selection, limit: number): RawBuilder<unknown> | null {
  const [driver, ...others] = indexedFilters(s);
  const [only, ...further] = driver ? driver.ranges : [everyPost(s)];
  if (!only || further.length > 0 || (s.hot && s.saved)) return null;
  return sql`${range(s, only, [...others.map((one) => one.seen), ...residualFilters(s), ...blocks(s)])} ${window(s, limit)}`;
}

/** The ids of a feed in its order: `limit` of them, past `skip`. */
export function feedIds(s: Selection, limit: number): Ids {
  const [driver, ...others] = indexedFilters(s);
  return idsAlong(s, driver, limit, [...others.map((one) => one.seen), ...residualFilters(s), ...blocks(s)]);
}

/**
 * What a search walks along: the posts of the narrowest filter alone, whatever `allConditions` says of them, so
 * that so many ids are so much work. Those whom one follows are too many to walk along together.
 */
export function candidateIds(s: Selection, limit: number): Ids {
  return idsAlong(s, indexedFilters({ ...s, followed: false })[0], limit, []);
}

function idsAlong(s: Selection, driver: Driver | undefined, limit: number, rest: Condition[]): Ids {
  if (driver?.followed) return followedIds(s, limit, rest);
  const ranges = driver?.ranges ?? [everyPost(s)];
  const [only] = ranges;
  if (only && ranges.length === 1) return sql`select p.id ${range(s, only, rest)} ${window(s, limit)}`;
  const branches = ranges.map(
    (one) =>
      sql`select * from (select p.id, p.hot_rank ${range(s, one, rest)} limit ${sql.lit(limit)} + ${s.skip}) as branch`,
  );
  const order = s.hot ? sql`hot_rank desc, id desc` : sql`id desc`;
  const merged = sql`select id from (${sql.join(branches, sql` union all `)}) as merged order by ${order}`;
  return sql<{ id: number }>`select id from (${merged} ${window(s, limit)}) as page`;
}

/**
 * Every condition of a selection, none of which chooses an index, and that they hold its words: for posts that were found
 * by other means. Blocks are dear to look up, so only where there are words.
 */
export function allConditions(s: Selection, holds: Condition): Condition[] {
  const barred = blocks(s);
  const last = barred.length > 0 ? sql<SqlBool>`case when ${holds} then ${and(barred)} end` : holds;
  return [...indexedFilters(s).map((one) => one.seen), ...residualFilters(s), last];
}

export function orderBy(hot: boolean): RawBuilder<unknown> {
  return hot ? sql`p.hot_rank desc, p.id desc` : sql`p.id desc`;
}

interface Range {
  from: RawBuilder<unknown>;
  where: Condition;
  /** What the newest-first order goes by. */
  id: RawBuilder<unknown>;
}

const posts = sql`posts p`;
const everything: Range = { from: posts, where: sql`1 = 1`, id: sql`p.id` };
/** As the index has it: what rests or was removed isn't in it, and costs nobody a look however much it is. */
const shown: Range = { ...everything, id: sql`(case when p.story_rest = 0 then p.id end)` };
/** Down to where what was removed lies. */
const ranked: Range = { ...everything, where: sql`p.hot_rank > ${sql.lit(REMOVED_RANK)}` };

function everyPost(s: Selection): Range {
  if (s.hot) return ranked;
  return isFiltered(s) ? everything : shown;
}

/** A range in the feed's order, all but its columns and its end. */
function range(s: Selection, r: Range, rest: Condition[]): RawBuilder<unknown> {
  const order = s.hot ? sql`p.hot_rank desc, p.id desc` : sql`${r.id} desc`;
  const newest = s.hot ? [] : [sql<SqlBool>`${r.id} < ${s.below}`];
  return sql`from ${r.from} where ${and([r.where, ...newest, ...rest])} order by ${order}`;
}

/**
 * Of those followed: first the creators whose best post ranks highest, as many as a page could show. The last
 * of these bests is the floor of the page, for that many posts reach it; so of each creator only what lies
 * above is read. However many one follows, each costs one look at an index.
 */
function followedIds(s: Selection, limit: number, rest: Condition[]): Ids {
  const take = sql`${sql.lit(limit)} + ${s.skip}`;
  const order = orderBy(s.hot);
  const rank = s.hot ? sql`p.hot_rank` : sql`p.id`;
  const below = s.hot ? [] : [sql<SqlBool>`p.id < ${s.below}`];
  const of = (creator: RawBuilder<unknown>) => [sql`p.creator_id = ${creator}`, ...below, ...rest];
  const best = sql`select p.id from posts p where ${and(of(sql`f.creator_id`))} order by ${order} limit 1`;
  const bests = sql`select f.creator_id, (${best}) as best from follows f where f.user_id = ${s.caller}`;
  // Of bests that rank alike the newest come first, as in the feed itself.
  const ordered = s.hot
    ? sql`select bests.creator_id, p.hot_rank as best from (${bests}) as bests cross join posts p
        where p.id = bests.best order by ${order}`
    : sql`select * from (${bests}) as bests where best is not null order by best desc`;
  const floor = sql`select case when count(*) < ${take} then 0 else min(best) end from top`;
  const theirs = sql`select p.id from posts p
    where ${and([...of(sql`top.creator_id`), sql`${rank} >= (${floor})`])} order by ${order} limit ${take}`;
  return sql<{ id: number }>`
    with top as (${ordered} limit ${take})
    select p.id from top cross join posts p where p.id in (${theirs}) order by ${order} ${window(s, limit)}`;
}

/** The limit stands in the text: SQLite plans better for a number that it knows than for one to come. */
function window(s: Selection, limit: number): RawBuilder<unknown> {
  return s.hot ? sql`limit ${sql.lit(limit)} offset ${s.skip}` : sql`limit ${sql.lit(limit)}`;
}

/** A filter, as a choice of ranges to read, and as a condition on rows that another filter found. */
interface Driver {
  ranges: Range[];
  followed?: true;
  seen: Condition;
}

/** The selection's filters, the narrowest by its nature first. */
function indexedFilters(s: Selection): Driver[] {
  const found: Driver[] = [];
  if (s.saved) found.push(savedDriver(s.caller));
  if (s.creators) found.push(columnDriver("creator_id", s.creators));
  if (s.source !== null) found.push(columnDriver("source_id", [s.source]));
  for (const { key } of s.communities) found.push(columnDriver("community_key", [key]));
  if (s.followed) {
    const seen = sql<SqlBool>`exists (select 1 from follows x where x.user_id = ${s.caller} and x.creator_id = p.creator_id)`;
    found.push({ ranges: [], followed: true, seen });
  }
  if (s.video) found.push(videoDriver(s.platform));
  if (s.provenances) found.push(columnDriver("provenance", s.provenances));
  if (s.platform !== null && !s.video) found.push(columnDriver("platform", [s.platform]));
  return found;
}

function savedDriver(caller: number | null): Driver {
  return {
    ranges: [
      {
        from: sql`post_saves s cross join posts p`,
        where: sql`s.user_id = ${caller} and p.id = s.post_id and p.removed = 0`,
        id: sql`s.post_id`,
      },
    ],
    seen: sql`exists (select 1 from post_saves x where x.user_id = ${caller} and x.post_id = p.id)`,
  };
}

/** Videos, of one platform if it is given: these have an index too, for a platform may have few or none. */
function videoDriver(platform: Platform | null): Driver {
  // Literal, as in the indexes that hold videos only.
  const videos = columnDriver("media_type", [sql.lit("video")]);
  if (platform === null) return videos;
  const where = sql<SqlBool>`p.media_type = 'video' and p.platform = ${platform}`;
  const seen = sql<SqlBool>`${videos.seen} and ${columnDriver("platform", [platform]).seen}`;
  return { ranges: [{ from: posts, where, id: sql`p.id` }], seen };
}

function columnDriver(name: string, values: readonly unknown[]): Driver {
  const column = sql.ref(`p.${name}`);
  // No planner sees through the function, so it never takes this for the index to use.
  const seen = values.map((value) => sql<SqlBool>`coalesce(${column}, null) = ${value}`);
  if (values.length === 0) return { ranges: [{ ...everything, where: sql`1 = 0` }], seen: sql`1 = 0` };
  return {
    ranges: values.map((value) => ({
      from: posts,
      where: sql<SqlBool>`${column} = ${value}`,
      id: sql`p.id`,
    })),
    seen: sql`(${sql.join(seen, sql` or `)})`,
  };
}

/** Conditions that never choose an index. */
function residualFilters(s: Selection): Condition[] {
  const platforms = s.communities.flatMap((one) =>
    one.platforms ? [columnDriver("platform", one.platforms).seen] : [],
  );
  const stories: Condition[] = isFiltered(s) ? [] : [sql`p.story_rest = 0`];
  if (s.caller === null) return [...platforms, ...stories];
  return [
    ...platforms,
    ...stories,
    sql`not exists (select 1 from dismissals x where x.user_id = ${s.caller} and x.post_id = p.id)`,
  ];
}

/** Who has blocks to heed, and only they, looks for them at each row. */
function blocks(s: Selection): Condition[] {
  return s.blocksOf.map((id) => notBlocked(sql`${id}`, sql`p.creator_id`));
}

/** Who asks for a place, a person or words wants all that is from there or says so, though others told it first. */
function isFiltered(s: Selection): boolean {
  const places = s.communities.length > 0 || s.source !== null || s.platform !== null;
  return places || s.creators !== null || s.followed || s.saved || s.terms.length > 0;
}

function and(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
