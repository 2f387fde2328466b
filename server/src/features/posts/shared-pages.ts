import { type RawBuilder, sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Context, JsonText } from "../../http/context.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import type { Services } from "../../http/services.ts";
import { type Change, SharedJson } from "../../http/shared-json.ts";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { KeptUntilCommit } from "../../storage/kept-until-commit.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { type Mutes, muteTexts } from "../shared/mutes.ts";
import { areIncomplete, completePosts } from "./complete-posts.ts";
import { cursorAfter, readFeed, SEPARATOR, withoutLastOf } from "./feed.queries.ts";
import { isSearch, type Selection } from "./feed-query.ts";
import { havePolls } from "./poll-results.ts";
import { type Flags, flagsJson, ofStrangers, withFlags } from "./posts.queries.ts";
import type { Reading } from "./quotes.ts";

/*
 * Feeds that look the same to everyone, except for the reader's own flags, votes and dismissals: most pages that are read. Such a page is read
 * once for all readers until the next commit. For each reader, one query finds what they marked, and only those posts are changed.
 */

/** A page as strangers see it. */
interface SharedPage {
  readonly json: SharedJson;
  readonly posts: readonly SharedPost[];
  /** The ids of its posts, and of the one after it, which says that another page follows. */
  readonly ids: readonly number[];
  /** Their creators. */
  readonly creators: ReadonlySet<number>;
  /** Their creators' accounts, and those who operate them, once they were needed. */
  accounts?: ReadonlySet<number>;
  readonly next: number | null;
  /** When quotes change without a commit. Milliseconds since 1970. */
  readonly until: number;
}

interface SharedPost {
  readonly id: number;
  readonly creator: number;
  /** Where it is in the page's JSON, and where the reader's flags are there. */
  readonly from: number;
  readonly to: number;
  readonly flags: number;
  /** What was looked up, such as the post that it quotes: the end of its JSON. */
  readonly added: string;
}

const MOST_BYTES = 8 * 2 ** 20;
/** What a post takes besides its JSON, about. */
const OVERHEAD = 200;

const keptPages = memoizePerInstance(
  (_services: Services) =>
    new KeptUntilCommit<SharedPage>({
      mostBytes: MOST_BYTES,
      sizeOf: ({ json, posts }) =>
        posts.reduce((sum, { added }) => sum + OVERHEAD + 2 * added.length, json.bytes.length),
    }),
);

/**
 * The response with a page that readers share, as this one sees it; null if theirs has to be read for them.
 *
 * @param mutes what the reader mutes there
 */
export async function sharedResponse(
  ctx: Context,
  db: Db,
  selection: Selection,
  mutes: Mutes | null,
): Promise<JsonText | null> {
  const { blocksOf } = selection;
  const page = isShared(selection, mutes) ? await readShared(ctx, db, selection) : null;
  if (!page || mutes?.creators.some((id) => page.creators.has(id))) return null;
  if (blocksOf.length > 0 && (await isBlockedOn(db, page, blocksOf))) return null;
  const marks = await marksOf(db, page, ctx.caller);
  if (page.ids.some((id) => marks.dismissed.has(id))) return null;
  ctx.changesAt(page.until);
  ctx.nextPage(page.next);
  return page.json.with(await changesFor(ctx, db, page, marks));
}

/**
 * Whether a feed depends on its reader only by what they marked, and by mutes and blocks of creators that may be on its page. Of the hot feed, only the first page does: dismissals move where the others
 * begin.
 */
function isShared(s: Selection, mutes: Mutes | null): boolean {
  const isOwn = s.saved || s.liked || s.followed || s.reposts || s.list !== null || s.collection !== null;
  const isAdapted = s.hidesSensitive || (mutes !== null && muteTexts(mutes));
  return !isOwn && !isAdapted && !isSearch(s) && s.skip === 0;
}

/** Blocks of a reader that are looked at, before the page is read for them. */
const MOST_BLOCKS = 100;

const blockedAccounts = prepared<{ account: number }, { other_id: number }>((db, { account }) =>
  sql<{
    other_id: number;
  }>`select other_id from blocks where user_id = ${account} limit ${sql.lit(MOST_BLOCKS)}`.compile(db),
);

/** Whether a block may be between these accounts and a creator on the page. */
async function isBlockedOn(db: Db, page: SharedPage, accounts: readonly number[]): Promise<boolean> {
  page.accounts ??= await accountsOf(db, page.creators);
  for (const account of accounts) {
    const blocked = await blockedAccounts(db, { account });
    if (blocked.length === MOST_BLOCKS) return true;
    for (const { other_id } of blocked) if (page.accounts.has(other_id)) return true;
  }
  return false;
}

/** The accounts of these creators, and of those who operate them. */
async function accountsOf(db: Db, creators: ReadonlySet<number>): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ user_id: number; operator_id: number | null }>`
    select c.user_id, u.operator_id from creators c join users u on u.id = c.user_id
    where c.id in (${db.engine.oneOf([...creators])})`.execute(db);
  return new Set(rows.flatMap(({ user_id, operator_id }) => [user_id, operator_id ?? user_id]));
}

/** Null if it can't be kept for other readers, or is out of date. */
async function readShared(ctx: Context, db: Db, selection: Selection): Promise<SharedPage | null> {
  const ofEveryone = { ...selection, caller: null, blocksOf: [], muted: null };
  const key = JSON.stringify(ofEveryone);
  const pages = keptPages(ctx.services);
  const since = await ctx.version();
  if (since === null) return null;
  const kept = pages.findAt(key, since);
  if (kept) return ctx.now < kept.until ? kept : null;
  const page = await readPage(db, ofEveryone, ctx.now);
  pages.keep(key, page, since);
  return page;
}

const BEGINNING = Buffer.from(`{"posts":[`);

async function readPage(db: Db, selection: Selection, now: number): Promise<SharedPage> {
  const found = await readFeed(db, selection);
  const isLast = found.ids.length <= selection.take;
  const read = isLast ? found.posts : withoutLastOf(found.posts);
  const ids = isLast ? found.ids : found.ids.slice(0, -1);
  const ranges = rangesOf(read, ids.length);
  let until = Number.POSITIVE_INFINITY;
  const changesAt = (time: number) => {
    until = Math.min(until, time);
  };
  const added = areIncomplete(read) ? await addedTo(db, read, ranges, { caller: null, now, changesAt }) : [];
  const pieces: Buffer[] = [BEGINNING];
  let [copied, shift] = [0, BEGINNING.length];
  const posts = ranges.map(({ from, to }, i): SharedPost => {
    const [id = 0, creator = 0, text = ""] = [ids[i], found.creators[i], added[i]];
    const start = from + shift;
    if (text !== "") {
      pieces.push(read.subarray(copied, to - 1), Buffer.from(text));
      copied = to - 1;
      shift += Buffer.byteLength(text);
    }
    const flags = start + (to - from) - 1 - ofStrangers.length;
    return { id, creator, from: start, to: to + shift, flags, added: text };
  });
  const next = isLast ? null : cursorAfter(selection, ids);
  const end = Buffer.from(`],"nextCursor":${next}}`);
  const json = new SharedJson(Buffer.concat([...pieces, read.subarray(copied), end]));
  return {
    ...{ json, posts, until, next },
    ids: found.ids,
    creators: new Set(found.creators),
  };
}

interface Range {
  from: number;
  to: number;
}

/** Where each post of a page begins and ends. */
function rangesOf(posts: Buffer, count: number): Range[] {
  let from = 0;
  return Array.from({ length: count }, (_, i) => {
    const to = i === count - 1 ? posts.length : posts.indexOf(SEPARATOR, from);
    const range = { from, to };
    from = to + SEPARATOR.length;
    return range;
  });
}

/** What is looked up for each of these posts, as text to be added at its end. */
async function addedTo(db: Db, posts: Buffer, ranges: readonly Range[], reading: Reading): Promise<string[]> {
  const texts = ranges.map(({ from, to }) =>
    areIncomplete(posts.subarray(from, to)) ? posts.toString("utf8", from, to) : "",
  );
  const complete = await completePosts(db, texts.filter(Boolean), reading);
  return texts.map((text) => (text === "" ? "" : (complete.shift() ?? "").slice(text.length - 1, -1)));
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

/** A reader's marks on posts from one id to another, and the creators that they follow: usually a few rows of each. */
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
      const ids = idRows(db, column === "post_id" ? posts : creators);
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
  const creators = new Set(posts.map(({ creator }) => creator));
  return byMark(await marksOfEach(db, { user, posts: idsJson(ids), creators: idsJson(creators) }));
}

function byMark(rows: readonly MarkRow[]): Marks {
  const marks = Object.fromEntries(tables.map(([mark]) => [mark, new Set()])) as Record<Mark, Set<number>>;
  for (const { mark, id } of rows) marks[mark].add(id);
  return marks;
}

/** In order. */
async function changesFor(ctx: Context, db: Db, page: SharedPage, marks: Marks): Promise<Change[]> {
  const { caller } = ctx;
  if (!caller) return [];
  const changes: Change[] = [];
  const lookedUp: Change[] = [];
  for (const post of page.posts) {
    const { from, to, added } = post;
    const flags = flagsOf(post, marks);
    if (isForEach(post, marks, caller)) {
      const incomplete = incompleteOf(page, post);
      lookedUp.push({ from, to, json: flags ? withFlags(incomplete, flags) : incomplete });
    } else if (flags?.reposted)
      changes.push({
        from,
        to,
        json: `${withFlags(incompleteOf(page, post), flags).slice(0, -1)}${added}}`,
      });
    else if (flags)
      changes.push({ from: post.flags, to: post.flags + ofStrangers.length, json: flagsJson(flags) });
  }
  if (lookedUp.length === 0) return changes;
  const incomplete = lookedUp.map(({ json }) => json);
  const complete = await completePosts(db, incomplete, ctx);
  const own = lookedUp.map((change, i) => ({ ...change, json: complete[i] ?? "" }));
  return [...changes, ...own].sort((a, b) => a.from - b.from);
}

/** A post's JSON without what was looked up. */
function incompleteOf({ json }: SharedPage, { from, flags }: SharedPost): string {
  return `${json.bytes.toString("utf8", from, flags + ofStrangers.length)}}`;
}

/**
 * Whether what is looked up for a post depends on the reader: they voted in its poll, may have voted in that of the post that it quotes, or
 * hide, mute or block anything, which is left out of quotes.
 */
function isForEach({ id, added }: SharedPost, marks: Marks, caller: Caller): boolean {
  const leavesOut = caller.ai.posts === "hide" || caller.hidesSensitive || caller.mutesChangeAt !== null;
  return added !== "" && (leavesOut || caller.blocksOf.length > 0 || marks.voted.has(id) || havePolls(added));
}

/** Null if the reader marked neither it nor its creator. */
function flagsOf({ id, creator }: SharedPost, marks: Marks): Flags | null {
  const [liked, saved, reposted] = [marks.liked.has(id), marks.saved.has(id), marks.reposted.has(id)];
  const followedCreator = marks.followed.has(creator);
  return liked || saved || reposted || followedCreator ? { liked, saved, reposted, followedCreator } : null;
}
