import { operations } from "@tandem/contract/operations";
import type { CommentOrder } from "@tandem/contract/post-resources";
import { sql } from "kysely";
import type { Context, JsonText } from "../../http/context.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import { serializer } from "../../http/serialize.ts";
import type { Services } from "../../http/services.ts";
import { type Change, SharedJson } from "../../http/shared-json.ts";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { KeptUntilCommit } from "../../storage/kept-until-commit.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { findPost } from "../posts/posts.queries.ts";
import { listComments } from "./comments.queries.ts";

/*
 * A page of a post's comments looks the same to everyone who neither hides AI content nor mutes anything, except for which comments they
 * like. It is read once for all of them until the next commit.
 */

/** A page as strangers see it. */
interface SharedComments {
  readonly json: SharedJson;
  readonly next: number | null;
  /** Those that a reader may like, in the page's order. */
  readonly comments: readonly { id: number; likedAt: number }[];
}

export interface CommentsQuery {
  post: number;
  sort: CommentOrder;
  after: number | null;
  limit: number | undefined;
}

const MOST_BYTES = 8 * 2 ** 20;
/** What a comment takes besides its JSON, about. */
const OVERHEAD = 50;

const keptPages = memoizePerInstance(
  (_services: Services) =>
    new KeptUntilCommit<SharedComments>({
      mostBytes: MOST_BYTES,
      sizeOf: ({ json, comments }) => json.bytes.length + OVERHEAD * comments.length,
    }),
);

/** The response with a page of comments of which nothing is hidden from the reader; null if it can't be kept for others. Throws `not_found`. */
export async function sharedComments(ctx: Context, query: CommentsQuery): Promise<JsonText | null> {
  const page = await readShared(ctx, query);
  if (!page) return null;
  ctx.nextPage(page.next);
  return page.json.with(await changesFor(ctx, page));
}

/** A kept page was read since the last commit, so its post still exists. */
async function readShared(ctx: Context, query: CommentsQuery): Promise<SharedComments | null> {
  const { post, sort, after, limit } = query;
  const key = `${post} ${sort} ${after} ${limit}`;
  const pages = keptPages(ctx.services);
  const since = await ctx.version();
  if (since === null) return null;
  const kept = pages.findAt(key, since);
  if (kept) return kept;
  await findPost(ctx.read, post);
  const page = await readPage(ctx.read, query);
  pages.keep(key, page, since);
  return page;
}

/** Quotation marks in texts are escaped, so no text contains this. */
const NOT_LIKED = `"liked":false`;
const LIKED = `"liked":true`;

async function readPage(db: Db, { post, ...range }: CommentsQuery): Promise<SharedComments> {
  const { page, more } = await listComments(db, post, null, { ...range, hideAi: false, mutes: null });
  const next = more ? (page.at(-1)?.id ?? null) : null;
  const stringify = serializer(operations.listComments.response);
  const json = new SharedJson(Buffer.from(stringify({ comments: page, nextCursor: next })));
  let at = 0;
  const places = page.map(({ id, deleted }) => {
    const likedAt = json.bytes.indexOf(NOT_LIKED, at);
    at = likedAt + NOT_LIKED.length;
    return { id, likedAt, deleted };
  });
  return { json, next, comments: places.filter(({ deleted }) => !deleted) };
}

/** Likes that are read at most, before only those of the page are looked for. */
const MOST_LIKES = 100;

const likesBetween = prepared<{ user: number; from: number; to: number }, { id: number }>(
  (db, { user, from, to }) =>
    sql<{ id: number }>`select comment_id as id from comment_likes
      where user_id = ${user} and comment_id between ${from} and ${to} limit ${sql.lit(MOST_LIKES)}`.compile(
      db,
    ),
);

const likesAmong = prepared<{ user: number; ids: string }, { id: number }>((db, { user, ids }) =>
  sql<{ id: number }>`select comment_id as id from comment_likes
    where user_id = ${user} and comment_id in (${idRows(db, ids)})`.compile(db),
);

async function changesFor({ caller, read }: Context, { comments }: SharedComments): Promise<Change[]> {
  if (!caller || comments.length === 0) return [];
  const ids = comments.map(({ id }) => id);
  const user = caller.userId;
  const range = { user, from: Math.min(...ids), to: Math.max(...ids) };
  const some = await likesBetween(read, range);
  const rows = some.length < MOST_LIKES ? some : await likesAmong(read, { user, ids: idsJson(ids) });
  const liked = new Set(rows.map(({ id }) => id));
  return comments
    .filter(({ id }) => liked.has(id))
    .map(({ likedAt }) => ({ from: likedAt, to: likedAt + NOT_LIKED.length, json: LIKED }));
}
