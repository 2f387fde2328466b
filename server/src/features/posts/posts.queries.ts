import { hidesMedia } from "@tandem/contract/content-warning";
import { nativePlatform } from "@tandem/contract/origins";
import type { MediaType, PostOrigin } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import { type Insertable, type RawBuilder, sql } from "kysely";
import type { Excerpt } from "../../events/notifications.ts";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { JsonText } from "../../http/context.ts";
import { insertRow } from "../../storage/bulk.ts";
import { fold } from "../../storage/fold.ts";
import { fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import { ARCHIVED_RANK } from "../../storage/removed.ts";
import type { PostRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { countRelabelled } from "../shared/authorship.ts";
import { addPostTags, changePostTags } from "../tags/post-tags.ts";
import { logPosts } from "../transparency-log/append.ts";
import { type Editor, nextVersion } from "../versions/keep-versions.ts";
import { completePosts } from "./complete-posts.ts";
import { hotRank, rankedScore, ranksAiLikes } from "./hot.ts";
import { isNewVersion, keepPostVersions } from "./post-versions.ts";
import type { Reading } from "./quotes.ts";
import { requestMarks } from "./request-marks.ts";

/**
 * Post `p` as JSON text, built from its fragment, its counters and the caller's flags. `null` is an anonymous caller. What is looked
 * up, such as the post that it quotes, is still missing: call {@link completePosts}.
 */
export function postJson(caller: number | null): RawBuilder<string> {
  return sql<string>`concat('{"id":', p.id, p.fragment,
    ',"score":', p.origin_score + p.like_count, ',"likeCount":', p.like_count,
    ',"aiLikeCount":', p.ai_like_count,
    ',"commentCount":', p.comment_count, ',"viewCount":', p.view_count,
    ',"storyCount":', p.story_count, ',"origin":', coalesce(p.origin_json, 'null'), ${shares(caller)}, ${flags(caller)}, '}')`;
}

/** What few posts have: counts of reposts and quotes, and whether the caller reposted it. */
function shares(caller: number | null): RawBuilder<string> {
  const reposted =
    caller === null
      ? sql`null`
      : sql`case when exists (
    select 1 from reposts x where x.user_id = ${caller} and x.post_id = p.id) then ',"reposted":true' end`;
  return sql`case when p.repost_count > 0 then concat(',"repostCount":', p.repost_count,
      case when p.ai_repost_count > 0 then concat(',"aiRepostCount":', p.ai_repost_count) end, ${reposted}) end,
    case when p.quote_count > 0 then concat(',"quoteCount":', p.quote_count) end`;
}

/** What a reader did with a post and its creator. */
export interface Flags {
  liked: boolean;
  saved: boolean;
  followedCreator: boolean;
  reposted: boolean;
}
const noFlags: Flags = { liked: false, saved: false, followedCreator: false, reposted: false };

/** Consists of ASCII only. */
export const flagsJson = ({ liked, saved, followedCreator }: Flags): string =>
  `,"liked":${liked},"saved":${saved},"followedCreator":${followedCreator}`;
export const ofStrangers = flagsJson(noFlags);

/** Where {@link shares} puts whether the reader reposted a post. */
const afterReposts = /(,"repostCount":\d+(?:,"aiRepostCount":\d+)?)((?:,"quoteCount":\d+)?)$/;

/** The JSON of a post as someone with these flags sees it, from that for a stranger. */
export function withFlags(json: string, flags: Flags): string {
  const before = json.slice(0, -ofStrangers.length - 1);
  const shared = flags.reposted ? before.replace(afterReposts, '$1,"reposted":true$2') : before;
  return `${shared}${flagsJson(flags)}}`;
}

function flags(caller: number | null): RawBuilder<string> {
  if (caller === null) return sql`${sql.lit(ofStrangers)}`;
  return sql`
    ',"liked":', ${existsAsJson(sql`select 1 from post_likes x where x.user_id = ${caller} and x.post_id = p.id`)},
    ',"saved":', ${existsAsJson(sql`select 1 from post_saves x where x.user_id = ${caller} and x.post_id = p.id`)},
    ',"followedCreator":', ${existsAsJson(sql`select 1 from follows x where x.user_id = ${caller} and x.creator_id = p.creator_id`)}`;
}

function existsAsJson(query: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when exists (${query}) then 'true' else 'false' end`;
}

/** The response `{"post": …}`, with the post as the caller sees it. Throws `not_found`. */
export async function postResponse(db: Db, id: number, reading: Reading): Promise<JsonText> {
  const { caller } = reading;
  const [row] = caller
    ? await postForCaller(db, { id, caller: caller.userId })
    : await postForAnyone(db, { id });
  if (!row) throw notFound("post");
  const [post] = await completePosts(db, [row.json], reading);
  return new JsonText(`{"post":${post}}`);
}

const postForAnyone = prepared<{ id: number }, { json: string }>((db, { id }) =>
  sql<{ json: string }>`
    select ${postJson(null)} as json from posts p where p.id = ${id} and p.removed = 0`.compile(db),
);
const postForCaller = prepared<{ id: number; caller: number }, { json: string }>((db, { id, caller }) =>
  sql<{ json: string }>`
    select ${postJson(caller)} as json from posts p where p.id = ${id} and p.removed = 0`.compile(db),
);

/** The columns of a post that its counters and rank need. */
export interface PostCounters {
  id: number;
  creator_id: number;
  origin_score: number;
  like_count: number;
  ai_like_count: number;
  /** 1 if `ai_like_count` counts for the rank, else 0. */
  ai_ranked: number;
  comment_count: number;
  posted_at: number;
  /** 1 if its author imported it from an export, else 0. */
  archived: number;
}

/** The columns of a post that rules need, too. */
export interface PostRecord extends PostCounters {
  /** The author's account; null for imported posts. */
  user_id: number | null;
  view_count: number;
  /** The name of its community, if that is one of this service. */
  community: string | null;
}

/** Throws `not_found`. */
export async function findPost(db: Db, id: number): Promise<PostRecord> {
  const [row] = await postById(db, { id });
  if (!row) throw notFound("post");
  return row;
}

/**
 * Locks the post until the transaction ends. Call this before changing a post or its dependants, so that every
 * transaction takes locks in the same order. Throws `not_found`.
 */
export async function lockPost(tx: Db, id: number): Promise<PostRecord> {
  const [row] = await lockedPostById(tx, { id });
  if (!row) throw notFound("post");
  return row;
}

const postById = prepared<{ id: number }, PostRecord>((db, { id }) => selectPost(db, id).compile());

const lockedPostById = prepared<{ id: number }, PostRecord>((db, { id }) =>
  selectPost(db, id)
    .$if(db.engine.rowLocks, (query) => query.forUpdate("p"))
    .compile(),
);

/** The name of the community of this service that post `p` is in; null for any other. */
export const nativeCommunity = sql<
  string | null
>`case when p.platform = ${sql.lit(nativePlatform)} then p.community_key end`;

function selectPost(db: Db, id: number) {
  return db
    .selectFrom("posts as p")
    .innerJoin("creators as c", "c.id", "p.creator_id")
    .select([
      "p.id",
      "p.creator_id",
      "c.user_id",
      "p.origin_score",
      "p.like_count",
      "p.ai_like_count",
      ranksAiLikes.as("ai_ranked"),
      "p.comment_count",
      "p.view_count",
      "p.posted_at",
      "p.archived",
      nativeCommunity.as("community"),
    ])
    .where("p.id", "=", id)
    .where("p.removed", "=", 0);
}

/** Locks a post of the caller's. Throws `not_found`, or `forbidden` if it belongs to someone else. */
export async function findOwnPost(tx: Db, id: number, caller: Caller): Promise<PostRecord> {
  const post = await lockPost(tx, id);
  requireOwn(post, caller);
  return post;
}

export function requireOwn(post: PostRecord, caller: Caller): void {
  if (post.user_id !== caller.userId)
    throw new ApiError("forbidden", "This post belongs to someone else. You can only change your own posts.");
}

export interface NewPost {
  creatorId: number;
  sourceId: number | null;
  originScore: number;
  /** Where it is at its origin, and its counts there. */
  origin?: PostOrigin | null;
  /** Milliseconds since 1970. */
  postedAt: number;
  facts: PostFacts;
  /** The key that created it, if any. */
  madeWith?: number | null;
  /** The post that it quotes. */
  quotedId?: number | null;
  /** Makes the row its own pending entry of the log: see `newFirstEntry`. */
  firstEntry?: string | null;
}

/** Adds a native post: its row, its search text and its author's post count. Imports add posts in bulk (sources/ingest.ts). */
export async function insertPost(tx: Db, post: NewPost): Promise<number> {
  const id = await insertRow(tx, "posts", postRow(post));
  await tx.engine.postSearch.add(tx.later, [{ id, folded: searchText(post.facts) }]);
  await addPostTags(tx, [{ id, facts: post.facts }]);
  await addToTotal(tx, post.creatorId, "post_count", 1);
  return id;
}

const noEngagement = { likes: 0, aiLikes: 0, comments: 0, views: 0, clicks: 0 };

/** A post's row, including the columns that repeat some of its facts for the indexes. */
export function postRow(post: NewPost, engagement = noEngagement) {
  const { creatorId, sourceId, originScore, origin = null, postedAt, facts } = post;
  const { madeWith = null, quotedId = null, firstEntry = null } = post;
  return {
    creator_id: creatorId,
    platform: facts.platform,
    source_id: sourceId,
    community_key: facts.community?.toLowerCase() ?? null,
    media_type: facts.mediaType,
    provenance: facts.provenance,
    basis: facts.provenanceBasis,
    sensitive: hidesMedia(facts) ? 1 : 0,
    origin_score: originScore,
    like_count: engagement.likes,
    ai_like_count: engagement.aiLikes,
    comment_count: engagement.comments,
    view_count: engagement.views,
    click_count: engagement.clicks,
    hot_rank: hotRank({ score: originScore + engagement.likes, comments: engagement.comments, postedAt }),
    posted_at: postedAt,
    made_with: madeWith,
    quoted_id: quotedId,
    fragment: toFragment(facts),
    origin_json: origin && JSON.stringify(origin),
    first_entry: firstEntry,
  } satisfies Insertable<PostRow>;
}

/** The text that search matches. The line breaks keep terms from matching across title, body and a poll's options. */
export function searchText({ title, body, poll }: Pick<PostFacts, "title" | "body" | "poll">): string {
  return fold([title ?? "", body ?? "", ...(poll?.options ?? [])].join("\n"));
}

/** Makes searches find posts by their new texts: by words at once, by meaning soon. */
export async function updateSearch(
  tx: Db,
  posts: readonly { id: number; facts: Parameters<typeof searchText>[0] }[],
): Promise<void> {
  const ids = tx.engine.oneOf(posts.map(({ id }) => id));
  await tx.engine.postSearch.remove(tx, sql<number>`${ids}`);
  await tx.engine.postSearch.add(
    tx,
    posts.map(({ id, facts }) => ({ id, folded: searchText(facts) })),
  );
  await sql`update post_meanings set meaning = null where post_id in (${ids})`.execute(tx);
}

/** Reads a post's facts from its fragment. */
export async function readFacts(tx: Db, id: number): Promise<PostFacts> {
  const { fragment } = await tx
    .selectFrom("posts")
    .select("fragment")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return fromFragment(fragment);
}

/** Titles by post id, or the warning or body for posts without a title, and who wrote them. Leaves out deleted and removed posts. */
export async function titlesOf(db: Db, ids: readonly number[]): Promise<Map<number, Excerpt>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("posts")
    .select(["id", "fragment"])
    .where(sql<boolean>`id in (${db.engine.oneOf([...new Set(ids)])})`)
    .where("removed", "=", 0)
    .execute();
  return new Map(
    rows.map(({ id, fragment }) => {
      const { title, body, contentWarning, provenance, provenanceBasis } = fromFragment(fragment);
      return [id, { text: title ?? contentWarning ?? body ?? "", provenance, provenanceBasis }];
    }),
  );
}

/** Writes a post's facts, with the columns that repeat some of them for the indexes. For what isn't an edit. */
export async function writeFacts(tx: Db, id: number, facts: PostFacts): Promise<void> {
  await requestMarks(tx, [{ id, facts }]);
  await tx.updateTable("posts").set(factColumns(facts)).where("id", "=", id).execute();
}

/** Writes an edit of a post as its next version, and logs it. Writes nothing if readers would see no difference. */
export async function writeEdit(
  tx: Db,
  id: number,
  { before, after }: { before: PostFacts; after: PostFacts },
  editor: Editor,
): Promise<void> {
  if (isNewVersion(before, after))
    await writeVersion(tx, id, { before, after: editedAt(after, editor) }, editor);
}

/**
 * Writes a post's next version, and logs it. By itself it doesn't say that the author edited the post. Call it only for a
 * difference that {@link isNewVersion}.
 */
export async function writeVersion(
  tx: Db,
  id: number,
  { before, after: facts }: { before: PostFacts; after: PostFacts },
  editor: Editor,
): Promise<void> {
  await keepPostVersions(tx, [id]);
  await requestMarks(tx, [{ id, facts }]);
  await countRelabelled(tx, [{ before, after: facts }]);
  await changePostTags(tx, [{ id, before, after: facts }]);
  const { version } = await tx
    .updateTable("posts")
    .set({ ...factColumns(facts), ...nextVersion(editor) })
    .where("id", "=", id)
    .returning("version")
    .executeTakeFirstOrThrow();
  // A request that edits a post brings only part of it.
  await logPosts(tx, [{ id, version, facts, signer: null }], editor.now);
}

/** The number of a post's current version. */
export async function versionOf(db: Db, id: number): Promise<number> {
  const { version } = await db
    .selectFrom("posts")
    .select("version")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return version;
}

function factColumns(facts: PostFacts) {
  const { mediaType, provenance, provenanceBasis } = facts;
  return {
    fragment: toFragment(facts),
    media_type: unlessRemoved("media_type", sql<MediaType>`${mediaType}`),
    provenance: unlessRemoved("provenance", sql<Provenance>`${provenance}`),
    basis: provenanceBasis,
    sensitive: hidesMedia(facts) ? 1 : 0,
  };
}

export function editedAt(facts: PostFacts, { now }: Editor): PostFacts {
  return { ...facts, editedAt: new Date(now).toISOString() };
}

/** Keeps a removed post's placeholder value, so that it stays out of every index range that feeds read. */
export function unlessRemoved<T>(column: string, value: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`case when posts.removed = 1 then ${sql.ref(`posts.${column}`)} else ${value} end`;
}

/** Writes a post's like and comment counts, and the rank that follows from them. */
export async function setEngagement(tx: Db, post: PostCounters): Promise<void> {
  const { id, like_count, ai_like_count, comment_count } = post;
  const engagement = {
    score: rankedScore(post),
    comments: comment_count,
    postedAt: post.posted_at,
  };
  await updateEngagement(tx.later, {
    id,
    like_count,
    ai_like_count,
    comment_count,
    hot_rank: post.archived === 1 ? ARCHIVED_RANK : hotRank(engagement),
  });
}

interface EngagementUpdate {
  id: number;
  like_count: number;
  ai_like_count: number;
  comment_count: number;
  hot_rank: number;
}

const updateEngagement = prepared<EngagementUpdate, never>(
  (db, { id, like_count, ai_like_count, comment_count, hot_rank }) =>
    db
      .updateTable("posts")
      .set({ like_count, ai_like_count, comment_count, hot_rank })
      .where("id", "=", id)
      .compile(),
);
