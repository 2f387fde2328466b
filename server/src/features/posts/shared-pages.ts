import { crc32 } from "node:zlib";
import { type RawBuilder, sql } from "kysely";
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
import { havePolls } from "./poll-results.ts";
import { type Flags, withFlags } from "./posts.queries.ts";

/*
 * Feeds that look the same to everyone, except for the reader's own flags, votes and dismissals: most pages that are read. Such a page is read
 * once for all readers until the next commit. For each reader, one query finds what they marked, and only those posts are changed.
 */

/** A page as strangers see it. */
interface SharedPage {
  /** JSON, separated by commas. */
  readonly json: Buffer;
  readonly posts: readonly SharedPost[];
  /** The ids of its posts, and of the one after it, which says that another page follows. */
  readonly ids: readonly number[];
  readonly next: number | null;
  /** When quotes change without a commit. Milliseconds since 1970. */
  readonly until: number;
  readonly checksum: string;
}

interface SharedPost {
  readonly id: number;
  readonly creator: number;
  /** Its JSON, and where that is in the page's. */
  readonly json: string;
  readonly from: number;
  readonly to: number;
  /** Without what was looked up, such as the post that it quotes. */
  readonly incomplete: string;
}

const MOST_BYTES = 16 * 2 ** 20;
/** What a post takes besides its JSON, about. */
const OVERHEAD = 200;

const keptPages = memoizePerInstance(
  ({ storage }: Services) =>
    new KeptUntilCommit<SharedPage>(storage, {
      mostBytes: MOST_BYTES,
      // As text and as bytes.
      sizeOf: ({ json, posts }) => 3 * json.length + OVERHEAD * posts.length,
    }),
);

/** The response with a page that readers share, as this one sees it; null if theirs has to be read for them. */
export async function sharedResponse(ctx: Context, db: Db, selection: Selection): Promise<JsonText | null> {
  const page = isShared(selection) ? await readShared(ctx, db, selection) : null;
  const marks = page && (await marksOf(db, page, ctx.caller));
  if (!page || !marks || page.ids.some((id) => marks.dismissed.has(id))) return null;
  ctx.changesAt(page.until);
  const changed = await changedPosts(ctx, db, page, marks);
  const pieces: (string | Buffer)[] = [`{"posts":[`];
  let at = 0;
  for (const [{ from, to }, json] of changed) {
    pieces.push(page.json.subarray(at, from), json);
    at = to;
  }
  pieces.push(page.json.subarray(at), `],"nextCursor":${ctx.nextPage(page.next)}}`);
  const changes = changed.map(([{ id }, json]) => `${id} ${json}`).join("\n");
  return new JsonText(pieces, `${page.checksum}-${checksumOf(changes)}`);
}

/**
 * Whether a feed depends on its reader only by what they marked. Of the hot feed, only the first page does: dismissals move where the others
 * begin.
 */
function isShared(s: Selection): boolean {
  const isOwn = s.saved || s.liked || s.followed || s.reposts || s.list !== null || s.collection !== null;
  const isAdapted = s.muted !== null || s.blocksOf.length > 0 || s.hidesSensitive;
  return !isOwn && !isAdapted && !isSearch(s) && s.skip === 0;
}

/** Null if it couldn't be kept for other readers, or is out of date. */
async function readShared(
  { services, now }: Context,
  db: Db,
  selection: Selection,
): Promise<SharedPage | null> {
  const since = services.storage.version();
  if (since === null) return null;
  const ofEveryone = { ...selection, caller: null };
  const key = JSON.stringify(ofEveryone);
  const kept = keptPages(services).find(() => key);
  if (kept) return now < kept.until ? kept : null;
  const page = await readPage(db, ofEveryone, now);
  keptPages(services).keep(key, page, since);
  return page;
}

async function readPage(db: Db, selection: Selection, now: number): Promise<SharedPage> {
  const { take } = selection;
  const found = await readFeed(db, selection);
  const ids = found.ids.slice(0, take);
  const incomplete = partsOf(found).slice(0, take);
  let until = Number.POSITIVE_INFINITY;
  const changesAt = (time: number) => {
    until = Math.min(until, time);
  };
  const complete = areIncomplete(found.posts)
    ? await completePosts(db, incomplete, { caller: null, now, changesAt })
    : incomplete;
  const creators = await creatorsOf(db, ids);
  let end = -1;
  const posts = complete.map((json, i) => {
    const from = end + 1;
    end = from + Buffer.byteLength(json);
    const [id = 0, creator = 0] = [ids[i], creators[i]];
    return { id, creator, json, from, to: end, incomplete: incomplete[i] ?? json };
  });
  const json = Buffer.from(complete.join());
  return {
    ...{ json, posts, until },
    ids: found.ids,
    next: found.ids.length > take ? cursorAfter(selection, ids) : null,
    checksum: `${json.length.toString(36)}-${checksumOf(json)}`,
  };
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

/** Ids of posts, and for `followed` of creators, that a reader marked. They may have marked others, too. */
type Marks = Record<Mark, ReadonlySet<number>>;
type Mark = "liked" | "saved" | "reposted" | "dismissed" | "voted" | "followed";

const tables = [
  ["liked", "post_likes", "post_id"],
  ["saved", "post_saves", "post_id"],
  ["reposted", "reposts", "post_id"],
  ["dismissed", "dismissals", "post_id"],
  ["voted", "poll_votes", "post_id"],
  ["followed", "follows", "creator_id"],
] as const;

interface MarkRow {
  mark: Mark;
  id: number;
}

/** Marks of each kind that are read at most, before only those of the page are looked for. */
const MOST_MARKS = 100;

/** What a reader marked of posts from one id to another, and whom they follow: nearly always a few rows of each. */
const marksBetween = prepared<{ user: number; from: number; to: number }, MarkRow>((db, { user, from, to }) =>
  union(([mark, table, column]) => {
    const range = column === "post_id" ? sql`and x.post_id between ${from} and ${to}` : sql``;
    return sql`select * from (select ${sql.lit(mark)} as mark, x.${sql.ref(column)} as id from ${sql.table(table)} x
      where x.user_id = ${user} ${range} limit ${sql.lit(MOST_MARKS)}) as ${sql.ref(mark)}`;
  }).compile(db),
);

const marksOfEach = prepared<{ user: number; posts: string; creators: string }, MarkRow>(
  (db, { user, posts, creators }) =>
    union(([mark, table, column]) => {
      const ids = db.engine.jsonRows(column === "post_id" ? posts : creators, { id: "integer" });
      return sql`select ${sql.lit(mark)} as mark, x.${sql.ref(column)} as id from ${sql.table(table)} x
        where x.user_id = ${user} and x.${sql.ref(column)} in (${ids})`;
    }).compile(db),
);

function union(of: (table: (typeof tables)[number]) => RawBuilder<unknown>): RawBuilder<MarkRow> {
  return sql<MarkRow>`${sql.join(tables.map(of), sql` union all `)}`;
}

async function marksOf(db: Db, { ids, posts }: SharedPage, caller: Caller | null): Promise<Marks> {
  if (!caller || posts.length === 0) return byMark([]);
  const user = caller.userId;
  const marks = byMark(await marksBetween(db, { user, from: Math.min(...ids), to: Math.max(...ids) }));
  if (Object.values(marks).every(({ size }) => size < MOST_MARKS)) return marks;
  const rowsOf = (each: Iterable<number>) => JSON.stringify(Array.from(each, (id) => ({ id })));
  const creators = new Set(posts.map(({ creator }) => creator));
  return byMark(await marksOfEach(db, { user, posts: rowsOf(ids), creators: rowsOf(creators) }));
}

function byMark(rows: readonly MarkRow[]): Marks {
  const marks = Object.fromEntries(tables.map(([mark]) => [mark, new Set()])) as Record<Mark, Set<number>>;
  for (const { mark, id } of rows) marks[mark].add(id);
  return marks;
}

/** The posts that the reader doesn't see as strangers do, in order, and their JSON. */
async function changedPosts(
  ctx: Context,
  db: Db,
  { posts }: SharedPage,
  marks: Marks,
): Promise<(readonly [SharedPost, string])[]> {
  if (!ctx.caller) return [];
  // Quotes of AI content are left out for readers who hide it. Readers may have voted in polls of quoted posts.
  const seesQuotes = ctx.caller.ai.posts !== "hide";
  const changed: { post: SharedPost; incomplete: string; looksUp: boolean }[] = [];
  for (const post of posts) {
    const flags = flagsOf(post, marks);
    const added = post.json.slice(post.incomplete.length - 1);
    const isOthers = marks.voted.has(post.id) || !seesQuotes || havePolls(added);
    const looksUp = post.incomplete !== post.json && isOthers;
    if (!flags && !looksUp) continue;
    changed.push({ post, incomplete: flags ? withFlags(post.incomplete, flags) : post.incomplete, looksUp });
  }
  const lookedUp = changed.filter(({ looksUp }) => looksUp).map(({ incomplete }) => incomplete);
  const complete = lookedUp.length === 0 ? [] : await completePosts(db, lookedUp, ctx);
  return changed.map(({ post, incomplete, looksUp }) => {
    const added = post.json.slice(post.incomplete.length - 1);
    return [post, looksUp ? (complete.shift() ?? "") : `${incomplete.slice(0, -1)}${added}`] as const;
  });
}

/** Null if the reader marked neither it nor its creator. */
function flagsOf({ id, creator }: SharedPost, marks: Marks): Flags | null {
  const [liked, saved, reposted] = [marks.liked.has(id), marks.saved.has(id), marks.reposted.has(id)];
  const followedCreator = marks.followed.has(creator);
  return liked || saved || reposted || followedCreator ? { liked, saved, reposted, followedCreator } : null;
}

const checksumOf = (data: string | Buffer): string => crc32(data).toString(36);
