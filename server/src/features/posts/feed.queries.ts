import { limits } from "@tandem/contract/limits";
import { type RawBuilder, sql } from "kysely";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { Lru } from "../../storage/lru.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { feedIds, singleRange } from "./feed-ids.ts";
import { orderBy } from "./feed-order.ts";
import { isByDate, type Selection } from "./feed-query.ts";
import { firstOfEach } from "./merged-ids.ts";
import { postJson } from "./posts.queries.ts";

/**
 * Posts as JSON, and their ids in the same order. In a collection that isn't searched, these are the ids of its rows. The posts are as they
 * are sent, separated by commas, or one by one where something was done with them.
 */
export interface FeedPage {
  posts: Buffer | readonly string[];
  ids: number[];
}

/** A page as it was read, with the creators of its posts. */
export interface ReadPage extends FeedPage {
  posts: Buffer;
  creators: number[];
}

/** A page with the cursor of the next one; null after the last. */
export interface NextPage extends FeedPage {
  next: number | null;
}

type Rows = RawBuilder<{ id: number; creator_id: number; json: string }>;
interface JoinedRow {
  posts: string | Uint8Array | null;
  ids: string | null;
  creators: string | null;
}

/** JSON text contains no raw line break, so this separator is unambiguous. */
export const SEPARATOR = ",\n";

/** One page of the feed: `take` posts, plus one more if another page follows. */
export async function readFeed(db: Db, selection: Selection): Promise<ReadPage> {
  return asPage(await feedPage(db, selection));
}

const feedPage = preparedByShape((db, s) => joined(db, feedRows(db, s, s.take + 1)));

/** Posts by id, as the caller sees them, in the feed's order. */
export async function readPosts(db: Db, ids: readonly number[], s: Selection): Promise<FeedPage> {
  const key = JSON.stringify([s.caller !== null, s.hot, isByDate(s)]);
  const read = postsById.get(key, () =>
    prepared<{ ids: string; caller: number | null }, JoinedRow>((db, slot) => {
      const rows: Rows = sql`select p.id, p.creator_id, ${postJson(s.caller === null ? null : slot.caller)} as json from posts p
        where p.id in (${idRows(db, slot.ids)}) order by ${orderBy(s)}`;
      return joined(db, rows).compile(db);
    }),
  );
  return asPage(await read(db, { ids: idsJson(ids), caller: s.caller }));
}

const postsById = new Lru<
  string,
  (db: Db, values: { ids: string; caller: number | null }) => Promise<JoinedRow[]>
>(10);

/** The JSON of each post of a page. */
export function partsOf({ posts, ids }: FeedPage): readonly string[] {
  if (!Buffer.isBuffer(posts)) return posts;
  return ids.length === 0 ? [] : posts.toString().split(SEPARATOR);
}

/** The posts of a page as they are sent. */
export const asSent = ({ posts }: FeedPage): string | Buffer =>
  Buffer.isBuffer(posts) ? posts : posts.join(SEPARATOR);

/** Drops the last post of a page, which was read only to detect a next page. */
export function withoutLast({ posts, ids }: FeedPage): FeedPage {
  const rest = Buffer.isBuffer(posts) ? withoutLastOf(posts) : posts.slice(0, -1);
  return { posts: rest, ids: ids.slice(0, -1) };
}

/** The same for posts as they are sent. */
export const withoutLastOf = (posts: Buffer): Buffer =>
  posts.subarray(0, Math.max(posts.lastIndexOf(SEPARATOR), 0));

/** What follows these posts of a page: the id of the last one; in the hot feed, the offset of the next page. */
export function cursorAfter({ hot, skip }: Selection, ids: readonly number[]): number | null {
  if (!hot) return ids.at(-1) ?? 0;
  return skip + ids.length <= limits.hotDepth ? skip + ids.length : null;
}

function joined(db: Db, rows: Rows): RawBuilder<JoinedRow> {
  const posts = db.engine.bytes(sql`string_agg(json, ${sql.lit(SEPARATOR)})`);
  const numbers = (column: string) => sql`string_agg(cast(${sql.ref(column)} as text), ',')`;
  return sql`select ${posts} as posts, ${numbers("id")} as ids, ${numbers("creator_id")} as creators from (${rows}) as page`;
}

function asPage([row]: JoinedRow[]): ReadPage {
  if (!row?.ids || row.posts === null) return { posts: Buffer.alloc(0), ids: [], creators: [] };
  const { posts } = row;
  const bytes =
    typeof posts === "string"
      ? Buffer.from(posts)
      : Buffer.from(posts.buffer, posts.byteOffset, posts.length);
  const numbers = (list: string) => list.split(",").map(Number);
  return { posts: bytes, ids: numbers(row.ids), creators: numbers(row.creators ?? "") };
}

/** A page's rows: read directly if one range yields them in order, otherwise by ids, to avoid sorting post texts. */
function feedRows(db: Db, s: Selection, limit: number): Rows {
  const json = sql`p.creator_id, ${postJson(s.caller)} as json`;
  const single = singleRange(s, limit);
  if (single) return sql`select ${single.id} as id, ${json} ${single.scan}`;
  return sql`select p.id, ${json} from posts p where p.id in (${feedIds(db, s, limit)}) order by ${orderBy(s)}`;
}

type Values = Record<string, unknown>;

/**
 * Identifies a feed's query without its values: queries of one shape are prepared once. Include every property that
 * changes the SQL: a missing one makes two feeds share a query.
 */
function shapeOf(s: Selection): string {
  return JSON.stringify([
    s.take,
    s.caller !== null,
    s.blocksOf.length,
    s.muted !== null,
    s.hot,
    s.saved,
    s.liked,
    s.followed,
    [s.mergedCreators, s.followedTags, s.followedCommunities].map(
      (count) => count > 0 && firstOfEach(count, s.take + 1),
    ),
    s.list !== null,
    s.collection !== null,
    s.reposts,
    s.aiReposts,
    s.creators?.length,
    s.quoted !== null,
    s.source !== null,
    s.communities.map(({ platforms }) => platforms),
    s.nativeCommunity,
    s.authorships?.map(({ basis }) => basis === null),
    s.statedByOrigin,
    s.platform !== null,
    s.video,
    s.archived,
    s.hidesSensitive,
    s.tags.length,
  ]);
}

function valuesOf(s: Selection): Values {
  const authorships = s.authorships ?? [];
  const lists: Record<string, readonly unknown[]> = {
    c: s.creators ?? [],
    p: authorships.map(({ provenance }) => provenance),
    a: authorships.map(({ basis }) => basis),
    k: s.communities.map(({ key }) => key),
    b: s.blocksOf,
    t: s.tags,
  };
  const listed = Object.entries(lists).flatMap(([name, list]) =>
    list.map((value, i) => [`${name}${i}`, value]),
  );
  const { caller, below, above, skip, quoted, source, list, collection, platform, muted } = s;
  return {
    caller,
    muted: muted?.json,
    below,
    above,
    skip,
    quoted,
    source,
    list,
    collection,
    platform,
    ...Object.fromEntries(listed),
  };
}

/** The same selection, with a placeholder for each value. */
function withSlots(db: Db, s: Selection, slot: Values): Selection {
  return {
    ...s,
    caller: s.caller === null ? null : slot.caller,
    blocksOf: s.blocksOf.map((_, i) => slot[`b${i}`]),
    muted: s.muted && { ...s.muted, ids: idRows(db, slot.muted as string) },
    below: slot.below,
    above: slot.above,
    skip: slot.skip,
    quoted: s.quoted === null ? null : slot.quoted,
    source: s.source === null ? null : slot.source,
    list: s.list === null ? null : slot.list,
    collection: s.collection === null ? null : slot.collection,
    platform: s.platform === null ? null : slot.platform,
    creators: s.creators?.map((_, i) => slot[`c${i}`]) ?? null,
    authorships:
      s.authorships?.map(({ basis }, i) => ({
        provenance: slot[`p${i}`],
        basis: basis === null ? null : slot[`a${i}`],
      })) ?? null,
    communities: s.communities.map((community, i) => ({ ...community, key: slot[`k${i}`] })),
    tags: s.tags.map((_, i) => slot[`t${i}`]),
  } as Selection;
}

/** A query that depends on a selection. It is compiled once for each shape. */
export function preparedByShape<Row>(
  build: (db: Db, s: Selection) => RawBuilder<Row>,
): (db: Db, s: Selection) => Promise<Row[]> {
  // Clients can combine filters into more shapes than fit in memory.
  const queries = new Lru<string, (db: Db, values: Values) => Promise<Row[]>>(500);
  return (db, s) => {
    const query = queries.get(shapeOf(s), () =>
      prepared<Values, Row>((db, slot) => build(db, withSlots(db, s, slot)).compile(db)),
    );
    return query(db, valuesOf(s));
  };
}
