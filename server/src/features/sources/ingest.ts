import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Item, PollResult } from "../../origins/connector.ts";
import { siteOf } from "../../origins/rss.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { authorKey, countPostsOfAll, foreignCreators } from "../creators/creators.queries.ts";
import { type NewPost, postRow, searchText } from "../posts/posts.queries.ts";
import { type Part, partsOf, storiesBetween, storiesOf } from "../posts/story.ts";
import { type Changed, changePosts, setScores } from "./change.ts";
import { type DatedItem, digestOf, factsOf, type Origin } from "./facts.ts";
import { type KnownItem, mayUpdate, takeOver } from "./item-authority.ts";
import { lockTouched, type Touched } from "./lock-order.ts";
import { storyOf } from "./story.ts";
import { goneOf, type Leaving, missingOf, postsOf, spanOf, withdraw } from "./withdraw.ts";

/** Of one visit no more than so many items are taken, the latest. */
export const ITEMS = 200;

export interface Taking extends Origin {
  id: number;
  /** Whose word it gives. */
  url: string | null;
}

/** What a visit came to, in posts. */
export interface Taken {
  seen: number;
  fresh: number;
  changed: number;
  withdrawn: number;
  /** Posts that are new and link to pages of others, of which the origin shows no picture; the latest first. */
  links: { postId: number; url: string }[];
}

/**
 * Makes posts of what a visit brought: one for each item, however often it is seen; what changed is changed, and what is
 * gone goes. In so many statements, however many items there are.
 */
export async function takeIn(tx: Db, source: Taking, gathered: PollResult, now: number): Promise<Taken> {
  const { platform } = source;
  const items = latest(gathered.items, now);
  const whole = gathered.complete && items.length === gathered.items.length;
  const known = await knownOf(tx, source, items, gathered.gone, whole);
  const described = items.map((item) => describe(item, source));
  const heard = described.filter(({ key }) => mayUpdate(source, known.get(key)));
  const fresh = await claimKeys(
    tx,
    source,
    described.filter(({ key }) => !known.has(key)),
  );
  await takeOver(tx, source, heard, known);
  const leaving = [
    ...goneOf(source, gathered.gone, known),
    ...(whole ? await missingOf(tx, source, items) : []),
  ];
  const changes = changesOf(gathered, heard, known);
  const posts = await newPosts(tx, source, fresh);
  await lockTouched(tx, await touchedBy(tx, fresh, posts, changes, leaving));
  const added = fresh.length > 0 ? await addPosts(tx, source, fresh, posts) : [];
  const changed = await changeOld(tx, platform, changes);
  const withdrawn = await withdraw(tx, platform, leaving);
  return { seen: items.length, fresh: added.length, changed, withdrawn, links: linksOf(added, source, now) };
}

async function touchedBy(
  tx: Db,
  fresh: readonly Described[],
  posts: readonly NewPost[],
  { texts, scores }: Changes,
  leaving: readonly Leaving[],
): Promise<Touched> {
  const gone = postsOf(leaving);
  const retold = texts.map(({ id, facts }) => ({ id, story: storyOf(facts) }));
  const stories = tx.engine.rowLocks
    ? [...(await storiesBetween(tx, retold)), ...(await storiesOf(tx, sql<number>`${tx.engine.oneOf(gone)}`))]
    : [];
  return {
    stories,
    joined: fresh.map(({ facts }) => storyOf(facts)),
    posts: [...gone, ...[...texts, ...scores].map(({ id }) => id)],
    creators: posts.map(({ creatorId }) => creatorId),
  };
}

/**
 * The latest of them, each once, the oldest first: so that ids rise with time. Those of one time go by their place, for origins
 * show the latest first; and those of which no time is told are new now.
 */
function latest(items: readonly Item[], now: number): DatedItem[] {
  const dated = items.toReversed().map((item) => ({ ...item, postedAt: item.postedAt ?? now }));
  const once = new Map(dated.map((item) => [item.key, item]));
  return [...once.values()].sort((a, b) => a.postedAt - b.postedAt).slice(-ITEMS);
}

interface Described {
  key: string;
  item: DatedItem;
  facts: PostFacts;
  digest: string;
}

function describe(item: DatedItem, source: Origin): Described {
  const facts = factsOf(item, source);
  return { key: item.key, item, facts, digest: digestOf(facts) };
}

interface Added {
  postId: number;
  facts: PostFacts;
  postedAt: number;
}

interface Known extends KnownItem, Leaving {
  digest: string;
  /** Null where the post is gone, as is `post_id`. */
  origin_score: number | null;
}

/**
 * What is known of all items that a visit may tell anything of, those among them that it leaves out. They are nobody else's from
 * then on, taken by their keys in one order: servers of a federation show the same.
 */
async function knownOf(
  tx: Db,
  { id, platform }: Taking,
  items: readonly DatedItem[],
  gone: readonly string[],
  whole: boolean,
): Promise<Map<string, Known>> {
  const told = [...items.map(({ key }) => key), ...gone].map((key) => ({ key }));
  if (told.length === 0) return new Map();
  const { rowLocks, jsonRows } = tx.engine;
  const left = rowLocks && whole && items.length > 0;
  const { rows } = await sql<Known>`
    select g.key, g.digest, g.post_id, p.origin_score, g.source_id, s.url as source_url
    from gathered g join sources s on s.id = g.source_id left join posts p on p.id = g.post_id
    where g.platform = ${platform} and g.key in (
      select key from (${jsonRows(JSON.stringify(told), { key: "text" })}) as listed
      ${left ? sql`union all select key from gathered where ${spanOf(id, items)}` : sql``}
    ) order by g.key ${rowLocks ? sql`for update of g` : sql``}`.execute(tx);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Those that nobody else has taken in at this very moment. */
async function claimKeys(tx: Db, { id, platform }: Taking, described: Described[]): Promise<Described[]> {
  if (described.length === 0) return [];
  // In one order, so that two who claim the same don't wait for each other.
  const rows = described
    .map(({ key, digest, item }) => ({ key, digest, posted_at: item.postedAt }))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const listed = tx.engine.jsonRows(JSON.stringify(rows), {
    key: "text",
    digest: "text",
    posted_at: "integer",
  });
  const { rows: claimed } = await sql<{ key: string }>`
    insert into gathered (platform, key, source_id, digest, posted_at, missed)
    select ${platform}, key, cast(${id} as bigint), digest, posted_at, 0 from (${listed}) as listed where 1 = 1
    on conflict do nothing returning key`.execute(tx);
  const own = new Set(claimed.map(({ key }) => key));
  return described.filter(({ key }) => own.has(key));
}

async function addPosts(tx: Db, source: Taking, described: Described[], posts: NewPost[]): Promise<Added[]> {
  const stories = described.map(({ facts }) => storyOf(facts));
  const parts = await partsOf(tx, source.id, stories);
  const ids = await tx.engine.nextIds(tx, "posts", posts.length);
  const idOf = (i: number) => ids[i] as number;
  await insertRows(
    tx,
    "posts",
    posts.map((post, i) => ({ id: idOf(i), ...postRow(post), ...(parts[i] as Part) })),
  );
  const texts = posts.map(({ facts }, i) => ({ id: idOf(i), folded: searchText(facts) }));
  await tx.engine.postSearch.add(tx, texts);
  await linkItems(
    tx,
    source.platform,
    described.map(({ key }, i) => ({ key, post: idOf(i) })),
  );
  await countPostsOfAll(tx, countsOf(posts));
  return described.map(({ facts, item }, i) => ({ postId: idOf(i), facts, postedAt: item.postedAt }));
}

/** Milliseconds after which nobody is curious any more about what a link leads to. */
const RECENT = 24 * 3_600_000;

function linksOf(added: readonly Added[], { url: at }: Taking, now: number): Taken["links"] {
  return added.toReversed().flatMap(({ postId, facts: { mediaType, url, thumbnailUrl }, postedAt }) => {
    const shows = mediaType === "link" && thumbnailUrl === null && postedAt > now - RECENT;
    return shows && url !== null && isElsewhere(url, at) ? [{ postId, url }] : [];
  });
}

/** Of its own pages an origin has said already what is to be shown of them. */
function isElsewhere(url: string, at: string | null): boolean {
  return at === null || siteOf(new URL(url)) !== siteOf(new URL(at));
}

async function newPosts(tx: Db, source: Taking, described: Described[]): Promise<NewPost[]> {
  if (described.length === 0) return [];
  const authors = described.map(({ facts }) => facts.author);
  const creators = await foreignCreators(tx, source.platform, authors);
  return described.map(({ item, facts }) => ({
    creatorId: creators.get(authorKey(facts.author)) as number,
    sourceId: source.id,
    originScore: item.score ?? 0,
    postedAt: item.postedAt,
    facts,
  }));
}

/** The keys are named twice: by a join alone an engine may go through the whole platform's. */
async function linkItems(
  tx: Db,
  platform: OriginPlatform,
  links: { key: string; post: number }[],
): Promise<void> {
  const listed = tx.engine.jsonRows(JSON.stringify(links), { key: "text", post: "integer" });
  await sql`update gathered set post_id = listed.post from (${listed}) as listed
    where gathered.platform = ${platform} and gathered.key = listed.key
      and gathered.key in (select key from (${listed}) as named)`.execute(tx);
}

function countsOf(posts: NewPost[]) {
  const found = new Map<number, { creatorId: number; author: string; posts: number }>();
  for (const { creatorId, facts } of posts) {
    const posts = 1 + (found.get(creatorId)?.posts ?? 0);
    found.set(creatorId, { creatorId, author: facts.author, posts });
  }
  // In one order, so that two who count don't wait for each other.
  return [...found.values()].sort((a, b) => a.creatorId - b.creatorId);
}

interface Changes {
  texts: Changed[];
  scores: { id: number; score: number }[];
}

function changesOf(
  { brief = false }: PollResult,
  described: Described[],
  known: ReadonlyMap<string, Known>,
): Changes {
  const changes: Changes = { texts: [], scores: [] };
  for (const { key, item, facts, digest } of described) {
    const old = known.get(key);
    if (!old || old.post_id === null) continue;
    if (old.digest !== digest && !brief) changes.texts.push({ id: old.post_id, key, facts, digest });
    if (item.score !== null && old.origin_score !== item.score)
      changes.scores.push({ id: old.post_id, score: item.score });
  }
  return changes;
}

async function changeOld(tx: Db, platform: OriginPlatform, { texts, scores }: Changes): Promise<number> {
  if (texts.length > 0) await changePosts(tx, platform, texts);
  if (scores.length > 0) await setScores(tx, scores);
  return new Set([...texts, ...scores].map(({ id }) => id)).size;
}
