import { nativePlatform, type Platform } from "@tandem/contract/origins";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import type { DisjointRanges } from "../../storage/engine.ts";
import { notBlocked } from "../people/block-check.ts";
import { type AuthorshipFilter, isSearch, type Selection } from "./feed-query.ts";

/* The filters of feeds in SQL: as ranges of indexes, and as conditions on rows `p` of posts. */

export type Condition = RawBuilder<SqlBool>;
export type Ids = RawBuilder<{ id: number }>;

export interface Range {
  from: RawBuilder<unknown>;
  where: Condition;
  /** The sort key of the newest-first order. */
  id: RawBuilder<unknown>;
}

const posts = sql`posts p`;
export const anyPost: Range = { from: posts, where: sql`1 = 1`, id: sql`p.id` };

/** Rows `f`, whose posts are merged. */
export interface Merge extends Pick<DisjointRanges, "rows" | "keys"> {
  /** How many rows, about. */
  count: number;
  /** Whether a post can be in several ranges. */
  overlap: boolean;
  range: Range;
}

/** A filter in two forms: index ranges to scan, or a condition on rows that another filter's scan yields. */
export interface IndexedFilter {
  ranges: Range[];
  /** What is merged, instead of ranges: posts of creators, and of topics. */
  merges?: [Merge, ...Merge[]];
  condition: Condition;
}

/** The selection's filters, typically narrowest first. */
export function indexedFilters(s: Selection): IndexedFilter[] {
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
  overlap: false,
  range: { ...anyPost, where: sql`p.creator_id = f.creator_id` },
});

const followedTags = (s: Selection): Merge => ({
  rows: sql`tag_follows f where f.user_id = ${s.caller}`,
  count: s.followedTags,
  keys: ["tag"],
  overlap: true,
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
  overlap: false,
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
export function residualFilters(s: Selection): Condition[] {
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
export function blockConditions(s: Selection): Condition[] {
  return s.blocksOf.map((id) => notBlocked(sql`${id}`, sql`p.creator_id`));
}

/**
 * Whether the feed is narrowed to a place, to creators or by words. Such feeds include duplicates: posts of a link that
 * another source posted first.
 */
export function isFiltered(s: Selection): boolean {
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

export function inPeriod({ posted }: Selection, at: RawBuilder<unknown>): Condition[] {
  return posted === null ? [] : [sql`${at} >= ${posted.from} and ${at} < ${posted.before}`];
}

export function and(conditions: RawBuilder<unknown>[]): RawBuilder<unknown> {
  return sql.join(conditions, sql` and `);
}
