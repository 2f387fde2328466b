import { limits } from "@tandem/contract/limits";
import type { Comment } from "@tandem/contract/resources";
import { type RawBuilder, sql } from "kysely";
import { ApiError, notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { lockPost } from "../posts/posts.queries.ts";

/** Stands for an author whose comment is gone. No account can have it: usernames have no brackets. */
const NOBODY = "[deleted]";

interface CommentView {
  id: number;
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
  avatar_url: string | null;
  role: string | null;
  liked: number | null;
  hidden?: true;
}

interface Range {
  caller: number;
  post: number;
  after: number;
  take: number;
}

const select = (caller: number): RawBuilder<unknown> => sql`
  select c.id, c.parent_id, c.body, c.like_count, c.ai_like_count, c.is_ai, c.deleted, c.created_at, c.edited_at,
    c.user_id, u.username, u.avatar_url, u.role, l.comment_id as liked
  from comments c
    left join users u on u.id = c.user_id
    left join comment_likes l on l.user_id = ${caller} and l.comment_id = c.id`;

const ofPost = prepared<Range, CommentView>((db, { caller, post, after, take }) =>
  sql<CommentView>`${select(caller)} where c.post_id = ${post} and c.id > ${after} order by c.id limit ${take}`.compile(
    db,
  ),
);

const byId = prepared<{ caller: number; id: number }, CommentView>((db, { caller, id }) =>
  sql<CommentView>`${select(caller)} where c.id = ${id}`.compile(db),
);

/** No account has this id: what a reader without one is joined with. */
const ANYONE = 0;

/** So many comments are read at once: texts that the page has no room for are not read in great numbers. */
const BATCH = 100;

export interface Page {
  /** An id: those past it. */
  after: number;
  limit?: number | undefined;
  hideAi: boolean;
}

/** A page of a post's comments, oldest first, past an id; and whether there are more. */
export async function listComments(
  db: Db,
  post: number,
  caller: Caller | null,
  { after, limit = limits.longList, hideAi }: Page,
): Promise<{ page: Comment[]; more: boolean }> {
  const page: Comment[] = [];
  let bytes = 0;
  for (;;) {
    const last = page.at(-1)?.id ?? after;
    const rows = await ofPost(db, { caller: caller?.userId ?? ANYONE, post, after: last, take: BATCH });
    for (const one of rows) {
      const row = hideAi ? withoutAi(one, caller) : one;
      bytes += Buffer.byteLength(JSON.stringify(row.body));
      const full = page.length === limit || bytes > limits.commentPageBytes;
      if (full && page.length > 0) return { page, more: true };
      page.push(asComment(row));
    }
    if (rows.length < BATCH) return { page, more: false };
  }
}

export async function readComment(db: Db, id: number, caller: Caller): Promise<Comment> {
  const [row] = await byId(db, { caller: caller.userId, id });
  if (!row) throw notFound("comment");
  return asComment(row);
}

/** A comment by AI is but its place, unless it is the reader's own: a thread without it would hang in the air. */
function withoutAi(row: CommentView, reader: Caller | null): CommentView {
  const hidden = row.is_ai === 1 && row.deleted === 0 && row.user_id !== reader?.userId;
  return hidden ? { ...row, body: "", hidden } : row;
}

function asComment(row: CommentView): Comment {
  const gone = row.deleted === 1;
  return {
    id: row.id,
    parentId: row.parent_id,
    body: gone ? "" : row.body,
    username: gone ? NOBODY : (row.username ?? NOBODY),
    likeCount: gone ? 0 : row.like_count,
    aiLikeCount: gone ? 0 : row.ai_like_count,
    liked: !gone && row.liked !== null,
    isAiGenerated: row.is_ai === 1,
    authorIsAgent: !gone && row.role === "agent",
    authorAvatarUrl: gone ? null : row.avatar_url,
    createdAt: new Date(row.created_at).toISOString(),
    editedAt: row.edited_at === null ? null : new Date(row.edited_at).toISOString(),
    deleted: gone,
    hidden: row.hidden ?? false,
  };
}

/** A comment that is there to be answered, liked or changed. Throws `not_found`, for one that is gone or on what is gone. */
export async function findComment(db: Db, id: number) {
  const row = await db
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .select(["c.id", "c.post_id", "c.user_id", "c.parent_id", "c.like_count", "c.ai_like_count"])
    .select(["c.reply_count", "c.is_ai"])
    .where("c.id", "=", id)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .executeTakeFirst();
  if (!row) throw notFound("comment");
  return row;
}

export type FoundComment = Awaited<ReturnType<typeof findComment>>;

/** A comment, until the transaction ends nobody else's to change: its post's lock keeps the thread. Throws `not_found`. */
export async function lockComment(tx: Db, id: number): Promise<FoundComment> {
  const found = await findComment(tx, id);
  if (!tx.engine.rowLocks) return found;
  await lockPost(tx, found.post_id);
  // What was read before the lock may have changed until it was given.
  return findComment(tx, id);
}

/** A comment of the caller's own, to be changed. Throws `not_found`, or `forbidden` where it is somebody else's. */
export async function findOwnComment(tx: Db, id: number, caller: Caller): Promise<FoundComment> {
  const comment = await lockComment(tx, id);
  if (comment.user_id !== caller.userId) throw new ApiError("forbidden", "This comment is not yours.");
  return comment;
}
