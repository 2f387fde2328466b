import { crc32 } from "node:zlib";
import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import { type Context, JsonText } from "../../http/context.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { KeptUntilCommit } from "../../storage/kept-until-commit.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { areIncomplete, completePosts } from "./complete-posts.ts";
import { cursorAfter, partsOf, readFeed } from "./feed.queries.ts";
import { isSearch, type Selection } from "./feed-query.ts";
import { type Flags, noFlags, withFlags } from "./posts.queries.ts";
import type { Reading } from "./quotes.ts";

/*
 * Feeds that look the same to everyone, except for the reader's own flags and dismissals: most pages that are read. Such a page is read once
 * for all readers until the next commit. For each reader, one query finds which of its posts they marked, and only these are changed.
 */

/** A page as everyone sees it, still without what is looked up for each reader. */
interface SharedPage {
  readonly ids: readonly number[];
  /** The creator of each post. */
  readonly creators: readonly number[];
  /** JSON, separated by commas. */
  readonly posts: Buffer;
  /** Where each post begins and ends. */
  readonly ranges: readonly Range[];
  /** Those that quote another or have a poll, by position. */
  readonly incomplete: readonly number[];
  readonly next: number | null;
  readonly checksum: string;
  /** Of its posts, and of the one after it, which says that another page follows. */
  readonly marksIn: Omit<MarkValues, "user">;
  /** Whether they are so close that a reader can't have marked many posts between them. */
  readonly isDense: boolean;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const MOST_BYTES = 8 * 2 ** 20;
/** What a post takes besides its JSON, about. */
const OVERHEAD = 200;
/** How many ids there are for each post of a dense page, at most. */
const DENSE = 10;

const keptPages = memoizePerInstance(
  ({ storage }: Services) =>
    new KeptUntilCommit<SharedPage>(storage, {
      mostBytes: MOST_BYTES,
      sizeOf: ({ posts, ids }) => posts.length + OVERHEAD * ids.length,
    }),
);

/** The response with a page that readers share, as this one sees it; null if theirs has to be read for them. */
export async function sharedResponse(ctx: Context, db: Db, selection: Selection): Promise<JsonText | null> {
  const page = isShared(selection) ? await readShared(ctx.services, db, selection) : null;
  const marks = page && (await marksOf(db, page, ctx.caller));
  if (!page || !marks) return null;
  const changed = await changedPosts(db, page, marks, ctx);
  const pieces: (string | Buffer)[] = [`{"posts":[`];
  let at = 0;
  for (const { range, post } of changed) {
    pieces.push(page.posts.subarray(at, range.from), post);
    at = range.to;
  }
  pieces.push(page.posts.subarray(at), `],"nextCursor":${ctx.nextPage(page.next)}}`);
  const changes = changed.map(({ range, post }) => `${range.from} ${post}`).join("\n");
  return new JsonText(pieces, `${page.checksum}-${checksumOf(changes)}`);
}

/**
 * Whether a feed depends on its reader only by their flags and dismissals. Of the hot feed, only the first page does: dismissals move where the
 * others begin.
 */
function isShared(s: Selection): boolean {
  const isOwn = s.saved || s.liked || s.followed || s.reposts || s.list !== null || s.collection !== null;
  const isAdapted = s.muted !== null || s.blocksOf.length > 0 || s.hidesSensitive;
  return !isOwn && !isAdapted && !isSearch(s) && s.skip === 0;
}

/** Null if it couldn't be kept for other readers. */
async function readShared(services: Services, db: Db, selection: Selection): Promise<SharedPage | null> {
  const since = services.storage.version();
  if (since === null) return null;
  const ofEveryone = { ...selection, caller: null };
  const key = JSON.stringify(ofEveryone);
  const kept = keptPages(services).find(() => key);
  if (kept) return kept;
  const page = await readPage(db, ofEveryone);
  keptPages(services).keep(key, page, since);
  return page;
}

async function readPage(db: Db, selection: Selection): Promise<SharedPage> {
  const { take } = selection;
  const found = await readFeed(db, selection);
  const parts = partsOf(found).slice(0, take);
  const ids = found.ids.slice(0, take);
  const creators = await creatorsOf(db, ids);
  const [from, to] = [Math.min(...found.ids), Math.max(...found.ids)];
  const posts = Buffer.from(parts.join());
  return {
    ...{ ids, creators, posts },
    ranges: rangesOf(parts),
    incomplete: parts.flatMap((part, i) => (areIncomplete(part) ? [i] : [])),
    next: found.ids.length > take ? cursorAfter(selection, ids) : null,
    checksum: `${posts.length.toString(36)}-${checksumOf(posts)}`,
    marksIn: { from, to, ids: rowsOf(found.ids), creators: rowsOf(new Set(creators)) },
    isDense: to - from < DENSE * found.ids.length,
  };
}

/** Where each of these is, if they are joined by commas. */
function rangesOf(parts: readonly string[]): Range[] {
  let at = -1;
  return parts.map((part) => {
    const from = at + 1;
    at = from + Buffer.byteLength(part);
    return { from, to: at };
  });
}

async function creatorsOf(db: Db, ids: readonly number[]): Promise<number[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("posts")
    .select(["id", "creator_id"])
    .where(sql<boolean>`id in (${db.engine.oneOf(ids)})`)
    .execute();
  const byId = new Map(rows.map(({ id, creator_id }) => [id, creator_id]));
  return ids.map((id) => byId.get(id) ?? 0);
}

const rowsOf = (ids: Iterable<number>): string => JSON.stringify(Array.from(ids, (id) => ({ id })));

/** What a reader marked: a post, by its id, or a creator. */
interface Mark {
  mark: "liked" | "saved" | "reposted" | "dismissed" | "followed";
  id: number;
}

interface MarkValues {
  user: number;
  /** The lowest and the highest id of the posts. */
  from: number;
  to: number;
  /** JSON arrays of objects with an `id`. */
  ids: string;
  creators: string;
}

const marksQuery = (isDense: boolean) =>
  prepared<MarkValues, Mark>((db, { user, from, to, ids, creators }) => {
    const oneOf = (json: string) => db.engine.jsonRows(json, { id: "integer" });
    const posts = isDense ? sql`between ${from} and ${to}` : sql`in (${oneOf(ids)})`;
    const marked = (mark: Mark["mark"], table: string) =>
      sql`select ${sql.lit(mark)} as mark, x.post_id as id from ${sql.table(table)} x where x.user_id = ${user} and x.post_id ${posts}`;
    const marks = [
      marked("liked", "post_likes"),
      marked("saved", "post_saves"),
      marked("reposted", "reposts"),
      marked("dismissed", "dismissals"),
      sql`select 'followed', x.creator_id from follows x where x.user_id = ${user} and x.creator_id in (${oneOf(creators)})`,
    ];
    return sql<Mark>`${sql.join(marks, sql` union all `)}`.compile(db);
  });

const marksInRange = marksQuery(true);
const marksOfEach = marksQuery(false);

/** A reader's flags of posts that aren't unmarked, by position. Null if the reader dismissed a post: then they see other posts. */
async function marksOf(db: Db, page: SharedPage, caller: Caller | null): Promise<Map<number, Flags> | null> {
  const flags = new Map<number, Flags>();
  if (!caller || page.ids.length === 0) return flags;
  const query = page.isDense ? marksInRange : marksOfEach;
  const marks = await query(db, { user: caller.userId, ...page.marksIn });
  if (marks.some(({ mark }) => mark === "dismissed")) return null;
  for (const { mark, id } of marks) {
    const list = mark === "followed" ? page.creators : page.ids;
    const name = mark === "followed" ? "followedCreator" : mark;
    for (let i = list.indexOf(id); i >= 0; i = list.indexOf(id, i + 1))
      flags.set(i, { ...(flags.get(i) ?? noFlags), [name]: true });
  }
  return flags;
}

/** The posts that the reader doesn't see as everyone does, in order. */
async function changedPosts(
  db: Db,
  page: SharedPage,
  marks: ReadonlyMap<number, Flags>,
  reading: Reading,
): Promise<{ range: Range; post: string }[]> {
  const changed = [...new Set([...marks.keys(), ...page.incomplete])].sort((a, b) => a - b);
  if (changed.length === 0) return [];
  const ranges = changed.flatMap((i) => page.ranges[i] ?? []);
  const posts = ranges.map(({ from, to }, k) => {
    const post = page.posts.toString("utf8", from, to);
    const flags = marks.get(changed[k] ?? 0);
    return flags ? withFlags(post, flags) : post;
  });
  const complete = await completePosts(db, posts, reading);
  return ranges.map((range, k) => ({ range, post: complete[k] ?? "" }));
}

const checksumOf = (data: string | Buffer): string => crc32(data).toString(36);
