import type { MediaType, Provenance } from "@tandem/contract/resources";
import { type Insertable, type RawBuilder, sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { JsonText } from "../../http/context.ts";
import { fold } from "../../storage/fold.ts";
import { fromFragment, type PostFacts, toFragment } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { PostRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { countPosts } from "../creators/creators.queries.ts";
import { aiLikesCount, hotRank, rankedScore } from "./hot.ts";

/** One post `p` as JSON text, joined from its fragment, its counters and the caller's flags. Null: nobody. */
export function postJson(caller: number | null): RawBuilder<string> {
  return sql<string>`concat('{"id":', p.id, p.fragment,
    ',"score":', p.origin_score + p.like_count, ',"likeCount":', p.like_count,
    ',"aiLikeCount":', p.ai_like_count,
    ',"commentCount":', p.comment_count, ',"viewCount":', p.view_count,
    ',"storyCount":', p.story_count, ${flags(caller)}, '}')`;
}

function flags(caller: number | null): RawBuilder<string> {
  if (caller === null) return sql`',"liked":false,"saved":false,"followedCreator":false'`;
  return sql`
    ',"liked":', ${truth(sql`select 1 from post_likes x where x.user_id = ${caller} and x.post_id = p.id`)},
    ',"saved":', ${truth(sql`select 1 from post_saves x where x.user_id = ${caller} and x.post_id = p.id`)},
    ',"followedCreator":', ${truth(sql`select 1 from follows x where x.user_id = ${caller} and x.creator_id = p.creator_id`)}`;
}

function truth(query: RawBuilder<unknown>): RawBuilder<string> {
  return sql`case when exists (${query}) then 'true' else 'false' end`;
}

/** One post as the caller sees it, as the one property of an answer. Throws `not_found`. */
export async function postAnswer(db: Db, id: number, caller: Caller | null): Promise<JsonText> {
  const [row] = caller ? await forCaller(db, { id, caller: caller.userId }) : await forAnyone(db, { id });
  if (!row) throw notFound("post");
  return new JsonText(`{"post":${row.json}}`);
}

const forAnyone = prepared<{ id: number }, { json: string }>((db, { id }) =>
  sql<{ json: string }>`
    select ${postJson(null)} as json from posts p where p.id = ${id} and p.removed = 0`.compile(db),
);
const forCaller = prepared<{ id: number; caller: number }, { json: string }>((db, { id, caller }) =>
  sql<{ json: string }>`
    select ${postJson(caller)} as json from posts p where p.id = ${id} and p.removed = 0`.compile(db),
);

/** What rules about a post need to know of it. */
export interface PostFigures {
  id: number;
  creator_id: number;
  /** The account that made it; null for posts of other platforms. */
  user_id: number | null;
  origin_score: number;
  like_count: number;
  ai_like_count: number;
  /** 1 where those count for its rank, else 0. */
  ai_ranked: number;
  comment_count: number;
  view_count: number;
  posted_at: number;
}

/** Throws `not_found`. */
export async function findPost(db: Db, id: number): Promise<PostFigures> {
  const [row] = await figures(db, { id });
  if (!row) throw notFound("post");
  return row;
}

/**
 * The post, until the transaction ends nobody else's to change. Whoever changes a post or what hangs on it asks
 * for it first, so that locks are taken in one order. Throws `not_found`.
 */
export async function lockPost(tx: Db, id: number): Promise<PostFigures> {
  const [row] = await lockedFigures(tx, { id });
  if (!row) throw notFound("post");
  return row;
}

const figures = prepared<{ id: number }, PostFigures>((db, { id }) => figuresOf(db, id).compile());

const lockedFigures = prepared<{ id: number }, PostFigures>((db, { id }) =>
  figuresOf(db, id)
    .$if(db.engine.rowLocks, (query) => query.forUpdate("p"))
    .compile(),
);

function figuresOf(db: Db, id: number) {
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
      aiLikesCount.as("ai_ranked"),
      "p.comment_count",
      "p.view_count",
      "p.posted_at",
    ])
    .where("p.id", "=", id)
    .where("p.removed", "=", 0);
}

/** A post of the caller's own, to be changed. Throws `not_found`, or `forbidden` where it is somebody else's. */
export async function findOwnPost(tx: Db, id: number, caller: Caller): Promise<PostFigures> {
  const post = await lockPost(tx, id);
  requireOwn(post, caller);
  return post;
}

export function requireOwn(post: PostFigures, caller: Caller): void {
  if (post.user_id !== caller.userId) throw new ApiError("forbidden", "This post is not yours.");
}

export interface NewPost {
  creatorId: number;
  sourceId: number | null;
  originScore: number;
  /** Milliseconds since 1970. */
  postedAt: number;
  facts: PostFacts;
  /** The key that made it, if one did. */
  madeWith?: number | null;
}

/** Adds a post and all that follows from it; the one way in, for native and gathered posts. */
export async function insertPost(tx: Db, post: NewPost): Promise<number> {
  const { id } = await tx.insertInto("posts").values(postRow(post)).returning("id").executeTakeFirstOrThrow();
  await tx.engine.postSearch.add(tx, [{ id, folded: searchText(post.facts) }]);
  await countPosts(tx, post.creatorId, post.facts.author, 1);
  return id;
}

const unseen = { likes: 0, aiLikes: 0, comments: 0, views: 0, clicks: 0 };

/** A post as its row, the columns that repeat some of its facts for the indexes among them. */
export function postRow(post: NewPost, seen = unseen) {
  const { creatorId, sourceId, originScore, postedAt, facts, madeWith = null } = post;
  return {
    creator_id: creatorId,
    platform: facts.platform,
    source_id: sourceId,
    community_key: facts.community?.toLowerCase() ?? null,
    media_type: facts.mediaType,
    provenance: facts.provenance,
    origin_score: originScore,
    like_count: seen.likes,
    ai_like_count: seen.aiLikes,
    comment_count: seen.comments,
    view_count: seen.views,
    click_count: seen.clicks,
    hot_rank: hotRank({ score: originScore + seen.likes, comments: seen.comments, postedAt }),
    posted_at: postedAt,
    made_with: madeWith,
    fragment: toFragment(facts),
  } satisfies Insertable<PostRow>;
}

/** Title and body, apart, so that no term is found across both. */
export function searchText({ title, body }: Pick<PostFacts, "title" | "body">): string {
  return fold(`${title ?? ""}\n${body ?? ""}`);
}

/** The facts of a post, as its row keeps them. */
export async function readFacts(tx: Db, id: number): Promise<PostFacts> {
  const { fragment } = await tx
    .selectFrom("posts")
    .select("fragment")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return fromFragment(fragment);
}

/** What posts are called, or else say, by their ids; those that are gone or were taken away are left out. */
export async function titlesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("posts")
    .select(["id", "fragment"])
    .where(sql<boolean>`id in (${db.engine.oneOf([...new Set(ids)])})`)
    .where("removed", "=", 0)
    .execute();
  return new Map(
    rows.map(({ id, fragment }) => {
      const { title, body } = fromFragment(fragment);
      return [id, title ?? body ?? ""];
    }),
  );
}

/** Writes changed facts back, with the columns that repeat some of them for the indexes. */
export async function writeFacts(tx: Db, id: number, facts: PostFacts): Promise<void> {
  const { mediaType, provenance } = facts;
  await tx
    .updateTable("posts")
    .set({
      fragment: toFragment(facts),
      media_type: unlessRemoved("media_type", sql<MediaType>`${mediaType}`),
      provenance: unlessRemoved("provenance", sql<Provenance>`${provenance}`),
    })
    .where("id", "=", id)
    .execute();
}

/** A removed post stays out of every range that feeds read, whatever its own text comes to say. */
export function unlessRemoved<T>(column: string, value: RawBuilder<T>): RawBuilder<T> {
  return sql<T>`case when posts.removed = 1 then ${sql.ref(`posts.${column}`)} else ${value} end`;
}

/** What provenance a write by this caller gets: a client's word counts for people alone (spec: Provenance rule). */
export function stamp(caller: Caller, declared: Provenance | undefined): Provenance {
  return caller.byAi ? "ai_generated" : (declared ?? "human");
}

/** What an edit does to a post whatever it changes: a key's makes it AI content, and none takes that mark off. */
export function marksOfEdit(caller: Caller, facts: PostFacts, now: number) {
  return {
    provenance: caller.byAi ? "ai_generated" : facts.provenance,
    editedAt: new Date(now).toISOString(),
  } satisfies Partial<PostFacts>;
}

export interface Counted {
  id: number;
  creator_id: number;
  origin_score: number;
  posted_at: number;
  like_count: number;
  ai_like_count: number;
  ai_ranked: number;
  comment_count: number;
}

/** Sets what changed of a post's interest, and with it its rank. */
export async function setInterest(tx: Db, post: Counted): Promise<void> {
  const { id, like_count, ai_like_count, comment_count } = post;
  const interest = {
    score: rankedScore(post),
    comments: comment_count,
    postedAt: post.posted_at,
  };
  await updateInterest(tx, { id, like_count, ai_like_count, comment_count, hot_rank: hotRank(interest) });
}

interface InterestUpdate {
  id: number;
  like_count: number;
  ai_like_count: number;
  comment_count: number;
  hot_rank: number;
}

const updateInterest = prepared<InterestUpdate, never>(
  (db, { id, like_count, ai_like_count, comment_count, hot_rank }) =>
    db
      .updateTable("posts")
      .set({ like_count, ai_like_count, comment_count, hot_rank })
      .where("id", "=", id)
      .compile(),
);
