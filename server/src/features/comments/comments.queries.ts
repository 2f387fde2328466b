import { limits } from "@tandem/contract/limits";
import type { Comment, CommentOrder } from "@tandem/contract/post-resources";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, type Selectable, sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { authorNameOf } from "../../storage/post-fragment.ts";
import { prepared } from "../../storage/prepared.ts";
import type { CommentRow } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";
import { lockPost, nativeCommunity } from "../posts/posts.queries.ts";
import { isMutedWriting, type Mutes } from "../shared/mutes.ts";

/** The author shown for a deleted comment. No account can have this name: usernames have no brackets. */
export const DELETED_AUTHOR = "[deleted]";

export interface CommentView {
  id: number;
  post_id: number;
  parent_id: number | null;
  body: string;
  like_count: number;
  ai_like_count: number;
  is_ai: number;
  deleted: number;
  created_at: number;
  edited_at: number | null;
  user_id: number | null;
  username: string | null;
  display_name: string | null;
  avatar_url: string | null;
  role: string | null;
  liked: number | null;
  hidden?: true;
  muted?: true;
}

interface PageRange {
  caller: number;
  post: number;
  /** The comment after which the page starts, in the order of the list. */
  after: number;
  /** The likes of that comment. */
  likes: number;
  take: number;
}

export const selectComments = (caller: number): RawBuilder<unknown> => sql`
  select c.id, c.post_id, c.parent_id, c.body, c.like_count, c.ai_like_count, c.is_ai, c.deleted, c.created_at, c.edited_at,
    c.user_id, u.username, u.display_name, u.avatar_url, u.role, l.comment_id as liked
  from comments c
    left join users u on u.id = c.user_id
    left join comment_likes l on l.user_id = ${caller} and l.comment_id = c.id`;

const commentsOfPost = (range: (values: PageRange) => RawBuilder<unknown>) =>
  prepared<PageRange, CommentView>((db, values) =>
    sql<CommentView>`${selectComments(values.caller)} where c.post_id = ${values.post}
      and ${range(values)} limit ${values.take}`.compile(db),
  );

const oldest = commentsOfPost(({ after }) => sql`c.id > ${after} order by c.id`);
const newest = commentsOfPost(({ after }) => sql`c.id < ${after} order by c.id desc`);
const equallyLiked = commentsOfPost(
  ({ likes, after }) => sql`c.like_count = ${likes} and c.id > ${after} order by c.id`,
);
const lessLiked = commentsOfPost(
  ({ likes }) => sql`c.like_count < ${likes} order by c.like_count desc, c.id`,
);

/** Where each order's list begins, and its next comments. */
const orders: Record<
  CommentOrder,
  { start: Position; next(db: Db, range: PageRange): Promise<CommentView[]> }
> = {
  old: { start: { id: 0, like_count: 0 }, next: oldest },
  new: { start: { id: MAX_ID, like_count: 0 }, next: newest },
  best: {
    start: { id: MAX_ID, like_count: MAX_ID },
    // Two range scans of the index. One condition for both would read all equally liked comments again and again.
    async next(db, range) {
      const rows = await equallyLiked(db, range);
      const take = range.take - rows.length;
      return take > 0 ? [...rows, ...(await lessLiked(db, { ...range, take }))] : rows;
    },
  },
};

type Position = Pick<CommentView, "id" | "like_count">;

const positionOf = prepared<{ post: number; id: number }, Position>((db, { post, id }) =>
  db
    .selectFrom("comments")
    .select(["id", "like_count"])
    .where("id", "=", id)
    .where("post_id", "=", post)
    .compile(),
);

/**
 * Where the page after a comment begins. If the order depends on likes and that comment is gone, the list begins again:
 * showing a comment twice is better than missing one.
 */
async function startAfter(db: Db, post: number, sort: CommentOrder, id: number | null): Promise<Position> {
  const { start } = orders[sort];
  if (id === null) return start;
  if (sort !== "best") return { ...start, id };
  const [position = start] = await positionOf(db, { post, id });
  return position;
}

const commentById = prepared<{ caller: number; id: number }, CommentView>((db, { caller, id }) =>
  sql<CommentView>`${selectComments(caller)} where c.id = ${id}`.compile(db),
);

/** No account has this id: it stands for an anonymous caller. */
export const ANONYMOUS = 0;

/** The most comments per query. Limits how many texts are read in excess of what fits on the page. */
const BATCH = 100;

export interface PageQuery {
  sort: CommentOrder;
  /** The id of the comment after which the page starts; null for the first page. */
  after: number | null;
  limit?: number | undefined;
  hideAi: boolean;
  /** Whose text is hidden; null if nothing is muted. */
  mutes: Mutes | null;
}

/** A page of a post's comments, and whether there are more. Ends early after `limits.commentPageBytes`. */
export async function listComments(
  db: Db,
  post: number,
  caller: Caller | null,
  { sort, after, limit = limits.longList, hideAi, mutes }: PageQuery,
): Promise<{ page: Comment[]; more: boolean }> {
  const page: Comment[] = [];
  let bytes = 0;
  let last = await startAfter(db, post, sort, after);
  for (;;) {
    // One more than fit tells whether another page follows.
    const take = Math.min(BATCH, limit - page.length + 1);
    const rows = await orders[sort].next(db, {
      caller: caller?.userId ?? ANONYMOUS,
      post,
      after: last.id,
      likes: last.like_count,
      take,
    });
    for (const comment of rows) {
      const row = hideIfMuted(hideAi ? hideIfAi(comment, caller) : comment, mutes);
      bytes += Buffer.byteLength(JSON.stringify(row.body));
      const full = page.length === limit || bytes > limits.commentPageBytes;
      if (full && page.length > 0) return { page, more: true };
      page.push(asComment(row));
      last = comment;
    }
    if (rows.length < take) return { page, more: false };
  }
}

export async function readComment(db: Db, id: number, caller: Caller): Promise<Comment> {
  const [row] = await commentById(db, { caller: caller.userId, id });
  if (!row) throw notFound("comment");
  return asComment(row);
}

/** Empties a comment by AI, unless it is the caller's own. It stays in the list, because replies refer to it. */
export function hideIfAi(row: CommentView, reader: Caller | null): CommentView {
  const hidden = row.is_ai === 1 && row.deleted === 0 && row.user_id !== reader?.userId;
  return hidden ? { ...row, body: "", hidden } : row;
}

/** Empties a comment that is muted. It stays in the list, because replies refer to it. */
export function hideIfMuted(row: CommentView, mutes: Mutes | null): CommentView {
  const muted = mutes !== null && row.deleted === 0 && isMutedWriting(mutes, row.user_id, [row.body]);
  return muted ? { ...row, body: "", hidden: true, muted } : row;
}

export function asComment(row: CommentView): Comment {
  const deleted = row.deleted === 1;
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id,
    body: deleted ? "" : row.body,
    username: deleted ? DELETED_AUTHOR : (row.username ?? DELETED_AUTHOR),
    ...authorNameOf(deleted ? null : row.display_name),
    likeCount: deleted ? 0 : row.like_count,
    aiLikeCount: deleted ? 0 : row.ai_like_count,
    liked: !deleted && row.liked !== null,
    isAiGenerated: row.is_ai === 1,
    authorIsAgent: !deleted && row.role === "agent",
    authorAvatarUrl: deleted ? null : row.avatar_url,
    createdAt: new Date(row.created_at).toISOString(),
    editedAt: row.edited_at === null ? null : new Date(row.edited_at).toISOString(),
    deleted,
    hidden: row.hidden ?? false,
    muted: row.muted ?? false,
  };
}

/** A comment that can be replied to, liked or edited. Throws `not_found`, also if the comment or its post was deleted or removed. */
export async function findComment(db: Db, id: number): Promise<FoundComment> {
  const [row] = await existingComment(db, { id });
  if (!row) throw notFound("comment");
  return row;
}

export type FoundComment = Pick<
  Selectable<CommentRow>,
  | "id"
  | "post_id"
  | "user_id"
  | "parent_id"
  | "like_count"
  | "ai_like_count"
  | "reply_count"
  | "is_ai"
  | "created_at"
> & {
  /** The community of this service that its post is in. */
  community: string | null;
};

const existingComment = prepared<{ id: number }, FoundComment>((db, { id }) =>
  db
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .select(["c.id", "c.post_id", "c.user_id", "c.parent_id", "c.like_count", "c.ai_like_count"])
    .select(["c.reply_count", "c.is_ai", "c.created_at", nativeCommunity.as("community")])
    .where("c.id", "=", id)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .compile(),
);

/** Locks a comment until the transaction ends, by locking its post, which covers the whole thread. Throws `not_found`. */
export async function lockComment(tx: Db, id: number): Promise<FoundComment> {
  const found = await findComment(tx, id);
  if (!tx.engine.rowLocks) return found;
  await lockPost(tx, found.post_id);
  // Read again: the comment may have changed before the lock was acquired.
  return findComment(tx, id);
}

/** Locks a comment of the caller's. Throws `not_found`, or `forbidden` if it belongs to someone else. */
export async function findOwnComment(tx: Db, id: number, caller: Caller): Promise<FoundComment> {
  const comment = await lockComment(tx, id);
  if (comment.user_id !== caller.userId)
    throw new ApiError(
      "forbidden",
      "This comment belongs to someone else. You can only change your own comments.",
    );
  return comment;
}
