import { DAY } from "@tandem/contract/durations";
import type { OriginPlatform } from "@tandem/contract/origins";
import { sql } from "kysely";
import type { Item, PollResult } from "../../origins/connector.ts";
import { isOwnWord } from "../../origins/item-authority.ts";
import { siteOf } from "../../origins/rss.ts";
import { SkipList } from "../../origins/skips.ts";
import { insertRows } from "../../storage/bulk.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { authorKey, countPostsOfAll, foreignCreators } from "../creators/creators.queries.ts";
import { type NewPost, postRow, searchText } from "../posts/posts.queries.ts";
import { joinStories, type StoryColumns, storiesChangedBy, storiesOf } from "../posts/story.ts";
import { postCount } from "../shared/authorship.ts";
import { incrementAll } from "../shared/daily-stats.ts";
import { addPostTags } from "../tags/post-tags.ts";
import { logPosts } from "../transparency-log/append.ts";
import { type ChangedItem, type ChangedOrigin, setOrigins, updatePosts } from "./change.ts";
import { type DatedItem, digestOf, factsOf, type Origin } from "./facts.ts";
import { type KnownItem, mayUpdate, takeOver, takesOver } from "./item-authority.ts";
import { lockRows, type RowsToLock } from "./lock-order.ts";
import { mergeOrigin, originOf } from "./post-origin.ts";
import { storyOf } from "./story.ts";
import {
  postsOf,
  repeatedlyMissing,
  reportedDeleted,
  spanOf,
  type WithdrawnItem,
  withdraw,
} from "./withdraw.ts";

/** Items imported per visit at most: the latest ones. */
export const MAX_ITEMS = 200;

export interface IngestSource extends Origin {
  id: number;
  /** Decides which items it may update (item-authority.ts). */
  url: string | null;
}

/** The outcome of a visit, in posts. */
export interface IngestResult {
  seen: number;
  fresh: number;
  changed: number;
  withdrawn: number;
  /** The items that were left out, by the connector or here. */
  skipped: SkipList;
  /** New posts that link to another site and have no picture from the origin, newest first. They need a link card. */
  links: { postId: number; url: string }[];
}

/**
 * Imports the result of a visit: adds a post for each new item, updates changed ones and deletes withdrawn ones. Takes a
 * fixed number of statements, and sees each item only once, even if several sources show it.
 */
export async function ingest(
  tx: Db,
  source: IngestSource,
  imported: PollResult,
  now: number,
): Promise<IngestResult> {
  const { platform } = source;
  const items = latestItems(imported.items, now);
  const isComplete = imported.complete && items.length === imported.items.length;
  const known = await lockKnownItems(tx, source, items, imported.gone, isComplete);
  const described = items.map((item) => describe(item, source));
  const updatable = described.filter(({ key }) => mayUpdate(source, known.get(key)));
  const newItems = await claimKeys(
    tx,
    source,
    described.filter(({ key }) => !known.has(key)),
  );
  await takeOver(tx, source, updatable, known);
  const withdrawnItems = [
    ...reportedDeleted(source, imported.gone, known),
    ...(isComplete ? await repeatedlyMissing(tx, source, items) : []),
  ];
  const changes = changesOf(source, imported, updatable, known);
  const posts = await newPosts(tx, source, newItems);
  await lockRows(tx, await rowsToLock(tx, newItems, posts, changes, withdrawnItems));
  const added = newItems.length > 0 ? await addPosts(tx, source, newItems, posts, now) : [];
  const changed = await applyChanges(tx, platform, changes, now);
  const withdrawn = await withdraw(tx, platform, withdrawnItems);
  const skipped = skipsOf(source, imported, described, known, newItems);
  const links = linksOf(added, source, now);
  return { seen: items.length, fresh: added.length, changed, withdrawn, skipped, links };
}

/** What the connector left out, and the items that are another source's or were removed here. */
function skipsOf(
  source: IngestSource,
  imported: PollResult,
  described: readonly DescribedItem[],
  known: ReadonlyMap<string, ImportedItem>,
  newItems: readonly DescribedItem[],
): SkipList {
  // A copy, because the transaction may run again.
  const skipped = new SkipList(imported.skipped);
  const added = new Set(newItems.map(({ key }) => key));
  for (const { key, item } of described) {
    const old = known.get(key);
    if (old && !mayUpdate(source, old) && isOwnWord(source.platform, key, old.source_url))
      skipped.add("home_source", item);
    // A concurrent visit may have imported it since.
    else if (old ? old.source_id !== source.id : !added.has(key)) skipped.add("other_source", item);
    else if (old?.post_id === null) skipped.add("removed_here", item);
  }
  return skipped;
}

async function rowsToLock(
  tx: Db,
  newItems: readonly DescribedItem[],
  posts: readonly NewPost[],
  { texts, origins }: Changes,
  withdrawn: readonly WithdrawnItem[],
): Promise<RowsToLock> {
  const deletedPosts = postsOf(withdrawn);
  const changedStories = texts.map(({ id, facts }) => ({ id, story: storyOf(facts) }));
  const stories = tx.engine.rowLocks
    ? [
        ...(await storiesChangedBy(tx, changedStories)),
        ...(await storiesOf(tx, sql<number>`${tx.engine.oneOf(deletedPosts)}`)),
      ]
    : [];
  return {
    stories,
    joined: newItems.map(({ facts }) => storyOf(facts)),
    posts: [...deletedPosts, ...[...texts, ...origins].map(({ id }) => id)],
    creators: posts.map(({ creatorId }) => creatorId),
  };
}

/**
 * The latest items, each once, oldest first, so that post ids rise with time. Items with the same time keep the reverse of
 * their order, because origins list the latest first. Items without a time count as posted now.
 */
function latestItems(items: readonly Item[], now: number): DatedItem[] {
  const dated = items.toReversed().map((item) => ({ ...item, postedAt: item.postedAt ?? now }));
  const unique = new Map(dated.map((item) => [item.key, item]));
  return [...unique.values()].sort((a, b) => a.postedAt - b.postedAt).slice(-MAX_ITEMS);
}

interface DescribedItem {
  key: string;
  item: DatedItem;
  facts: PostFacts;
  digest: string;
}

function describe(item: DatedItem, source: Origin): DescribedItem {
  const facts = factsOf(item, source);
  return { key: item.key, item, facts, digest: digestOf(facts) };
}

interface AddedPost {
  postId: number;
  facts: PostFacts;
  postedAt: number;
}

interface ImportedItem extends KnownItem, WithdrawnItem {
  digest: string;
  /** These two are null if the post was deleted, like `post_id`. */
  origin_score: number | null;
  origin_json: string | null;
}

/**
 * Reads the known items that a visit may change, including those that a complete list leaves out. Locks them in key order
 * until the transaction ends: other servers of a federation show the same items.
 */
async function lockKnownItems(
  tx: Db,
  { id, platform }: IngestSource,
  items: readonly DatedItem[],
  gone: readonly string[],
  isComplete: boolean,
): Promise<Map<string, ImportedItem>> {
  const keys = [...items.map(({ key }) => key), ...gone].map((key) => ({ key }));
  if (keys.length === 0) return new Map();
  const { rowLocks, jsonRows: listed } = tx.engine;
  const includeMissing = rowLocks && isComplete && items.length > 0;
  const { rows } = await sql<ImportedItem>`
    select g.key, g.digest, g.post_id, p.origin_score, p.origin_json, g.source_id, s.url as source_url
    from gathered g join sources s on s.id = g.source_id left join posts p on p.id = g.post_id
    where g.platform = ${platform} and g.key in (
      select key from (${listed(JSON.stringify(keys), { key: "text" })}) as listed
      ${includeMissing ? sql`union all select key from gathered where ${spanOf(id, items)}` : sql``}
    ) order by g.key ${rowLocks ? sql`for update of g` : sql``}`.execute(tx);
  return new Map(rows.map((row) => [row.key, row]));
}

/** Inserts the keys of new items. Returns those that no concurrent import has inserted. */
async function claimKeys(
  tx: Db,
  { id, platform }: IngestSource,
  described: DescribedItem[],
): Promise<DescribedItem[]> {
  if (described.length === 0) return [];
  // Sorted, so that concurrent imports of the same items don't deadlock.
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
  const claimedKeys = new Set(claimed.map(({ key }) => key));
  return described.filter(({ key }) => claimedKeys.has(key));
}

async function addPosts(
  tx: Db,
  source: IngestSource,
  described: DescribedItem[],
  posts: NewPost[],
  now: number,
): Promise<AddedPost[]> {
  const stories = described.map(({ facts }) => storyOf(facts));
  const columns = await joinStories(tx, source.id, stories);
  const ids = await tx.engine.nextIds(tx, "posts", posts.length);
  const idOf = (i: number) => ids[i] as number;
  await insertRows(
    tx,
    "posts",
    posts.map((post, i) => ({ id: idOf(i), ...postRow(post), ...(columns[i] as StoryColumns) })),
  );
  const texts = posts.map(({ facts }, i) => ({ id: idOf(i), folded: searchText(facts) }));
  await tx.engine.postSearch.add(tx, texts);
  await addPostTags(
    tx,
    posts.map(({ facts }, i) => ({ id: idOf(i), facts })),
  );
  await setPostIds(
    tx,
    source.platform,
    described.map(({ key }, i) => ({ key, post: idOf(i) })),
  );
  await countPostsOfAll(tx, countsByCreator(posts));
  await incrementAll(
    tx,
    posts.map(({ facts, postedAt }) => ({ what: postCount(facts), at: postedAt })),
  );
  await logPosts(
    tx,
    posts.map(({ facts }, i) => ({ id: idOf(i), version: 1, facts })),
    now,
  );
  return described.map(({ facts, item }, i) => ({ postId: idOf(i), facts, postedAt: item.postedAt }));
}

/** Milliseconds: older posts get no link card. */
const LINK_CARD_AGE = DAY;

function linksOf(
  added: readonly AddedPost[],
  { url: sourceUrl }: IngestSource,
  now: number,
): IngestResult["links"] {
  return added
    .toReversed()
    .flatMap(({ postId, facts: { mediaType, url, audioUrl, thumbnailUrl }, postedAt }) => {
      const showsPage = mediaType === "link" && thumbnailUrl === null && url !== audioUrl;
      const needsCard = showsPage && postedAt > now - LINK_CARD_AGE;
      return needsCard && url !== null && isOtherSite(url, sourceUrl) ? [{ postId, url }] : [];
    });
}

/** Posts of an origin's own pages already show what the origin provides. */
function isOtherSite(url: string, sourceUrl: string | null): boolean {
  return sourceUrl === null || siteOf(new URL(url)) !== siteOf(new URL(sourceUrl));
}

async function newPosts(tx: Db, source: IngestSource, described: DescribedItem[]): Promise<NewPost[]> {
  if (described.length === 0) return [];
  const authors = described.map(({ facts }) => facts.author);
  const creators = await foreignCreators(tx, source.platform, authors);
  return described.map(({ item, facts }) => ({
    creatorId: creators.get(authorKey(facts.author)) as number,
    sourceId: source.id,
    originScore: item.score ?? 0,
    origin: originOf(item),
    postedAt: item.postedAt,
    facts,
  }));
}

/** Stores each item's post. The keys appear twice because a join alone could scan all items of the platform. */
async function setPostIds(
  tx: Db,
  platform: OriginPlatform,
  links: { key: string; post: number }[],
): Promise<void> {
  const listed = tx.engine.jsonRows(JSON.stringify(links), { key: "text", post: "integer" });
  await sql`update gathered set post_id = listed.post from (${listed}) as listed
    where gathered.platform = ${platform} and gathered.key = listed.key
      and gathered.key in (select key from (${listed}) as named)`.execute(tx);
}

function countsByCreator(posts: NewPost[]) {
  const counts = new Map<number, { creatorId: number; author: string; posts: number }>();
  for (const { creatorId, facts } of posts) {
    const posts = 1 + (counts.get(creatorId)?.posts ?? 0);
    counts.set(creatorId, { creatorId, author: facts.author, posts });
  }
  // Sorted, so that concurrent imports don't deadlock.
  return [...counts.values()].sort((a, b) => a.creatorId - b.creatorId);
}

interface Changes {
  texts: ChangedItem[];
  origins: ChangedOrigin[];
}

function changesOf(
  source: IngestSource,
  { brief = false }: PollResult,
  described: DescribedItem[],
  known: ReadonlyMap<string, ImportedItem>,
): Changes {
  const changes: Changes = { texts: [], origins: [] };
  for (const { key, item, facts, digest } of described) {
    const old = known.get(key);
    if (!old || old.post_id === null) continue;
    if (old.digest !== digest && !brief)
      changes.texts.push({ id: old.post_id, key, facts, digest, isTakenOver: takesOver(source, old) });
    const origin = mergeOrigin(old.origin_json, item);
    const score = item.score ?? old.origin_score ?? 0;
    if (score !== old.origin_score || origin !== old.origin_json)
      changes.origins.push({ id: old.post_id, score, origin });
  }
  return changes;
}

async function applyChanges(
  tx: Db,
  platform: OriginPlatform,
  { texts, origins }: Changes,
  now: number,
): Promise<number> {
  if (texts.length > 0) await updatePosts(tx, platform, texts, now);
  if (origins.length > 0) await setOrigins(tx, origins);
  return new Set([...texts, ...origins].map(({ id }) => id)).size;
}
