import { mentioningText, tagsIn } from "@tandem/contract/markdown/mentions-and-tags";
import type { Input } from "@tandem/contract/operation";
import type { Operations } from "@tandem/contract/operations";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Actor, Handlers } from "../../http/context.ts";
import { contentSignerOf } from "../../http/signature.ts";
import { insertRow } from "../../storage/bulk.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { assertMayPublish } from "../communities/publishing.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { isLiveChat } from "../live/live-chat.ts";
import { notifyMentioned } from "../mentions/mentions.ts";
import { assertNoneBlocked, mayBeBlocked } from "../people/block-check.ts";
import { findPost, lockPost, type PostRecord, setEngagement } from "../posts/posts.queries.ts";
import { aiMark } from "../shared/authorship.ts";
import { increment, incrementAll } from "../shared/daily-stats.ts";
import { refuseDuplicates } from "../shared/duplicate-text.ts";
import { mutesOf } from "../shared/mutes.ts";
import { recordTags } from "../tags/tag-uses.ts";
import { type CommentVersion, logComment, operatorOf } from "../transparency-log/append.ts";
import { editorOf, nextVersion } from "../versions/keep-versions.ts";
import { keepCommentVersion } from "./comment-versions.ts";
import {
  type FoundComment,
  findComment,
  findOwnComment,
  listComments,
  readComment,
} from "./comments.queries.ts";
import { removeComment } from "./remove-comment.ts";
import { sharedComments } from "./shared-comments.ts";

export const comments = {
  listComments: async (ctx, { id, limit, cursor = null, sort = "old", ...shown }) => {
    const { ai = ctx.caller?.ai.comments, muted } = shown;
    const range = { sort, after: cursor, limit };
    const hideAi = ai === "hide";
    const mutes = muted === "show" ? null : await mutesOf(ctx.read, ctx.caller, ctx.now);
    const shared = hideAi || mutes ? null : await sharedComments(ctx, { post: id, ...range });
    if (shared) return shared;
    await findPost(ctx.read, id);
    const { page, more } = await listComments(ctx.read, id, ctx.caller, { ...range, hideAi, mutes });
    const next = more ? (page.at(-1)?.id ?? null) : null;
    return { comments: page, nextCursor: ctx.nextPage(next) };
  },
  createComment: (ctx, input) => ctx.write((tx) => addComment(ctx, tx, input)),
  editComment: (ctx, input) => ctx.write((tx) => editComment(ctx, tx, input)),
  deleteComment: (ctx, input) => ctx.write((tx) => deleteComment(ctx, tx, input)),
} satisfies Handlers<"listComments" | "createComment" | "editComment" | "deleteComment">;

/** Adds a comment by the caller. Throws `not_found`, `invalid_parent`, or `forbidden` if a block is between them. */
export async function addComment(
  ctx: Actor,
  tx: Db,
  { id, body, parentId }: Input<Operations["createComment"]>,
) {
  const { caller, now } = ctx;
  const post = await lockPost(tx, id);
  const parent = parentId == null ? null : await findParent(tx, parentId, id);
  await assertNoneBlocked(tx, caller, [post.user_id, parent?.user_id ?? null]);
  if (post.community !== null) await assertMayPublish(tx, "createComment", post.community, ctx);
  const is_ai = aiMark(caller);
  const added = await insertRow(tx, "comments", {
    post_id: id,
    user_id: caller.userId,
    parent_id: parent?.id ?? null,
    body,
    is_ai,
    like_count: 0,
    reply_count: 0,
    deleted: 0,
    made_with: caller.key?.id ?? null,
    created_at: now,
    edited_at: null,
  });
  const version = { id: added, version: 1, body, parentId: parent?.id ?? null, postId: id };
  await logBy(tx, caller, { ...version, isAi: caller.byAi }, now);
  if (parent) await countReply(tx, parent.id);
  await setEngagement(tx, { ...post, comment_count: post.comment_count + 1 });
  const responses = await responsesTo(tx, post, parent);
  const location = { postId: id, commentId: added };
  await notifyMentioned(tx, ctx, location, { text: mentioningText(body), ...responses });
  await recordTags(tx, ctx, location, { tags: tagsIn(body), isAi: is_ai === 1 });
  // Accounts are locked before creators everywhere, to avoid deadlocks.
  await addToTotal(tx, post.creator_id, "comment_count", 1);
  await refuseDuplicates(tx, ctx, [body]);
  await increment(tx, is_ai === 1 ? "commentsByAi" : "commentsByPeople", now);
  return { comment: await readComment(tx, added, caller) };
}

/** Whom a comment is for. The chat of a running stream notifies only those who are mentioned or replied to. */
async function responsesTo(tx: Db, post: PostRecord, parent: FoundComment | null) {
  if (parent) return { responses: { type: "reply" as const, to: parent.user_id } };
  if (post.user_id === null || (await isLiveChat(tx, post.id))) return {};
  return { responses: { type: "comment" as const, to: post.user_id } };
}

/** Logs a version of the caller's own comment. */
async function logBy(
  tx: Db,
  caller: Caller,
  comment: Omit<CommentVersion, "author" | "operator" | "signer">,
  now: number,
): Promise<void> {
  const operator = caller.isAgent ? await operatorOf(tx, caller.userId) : null;
  const by = { author: caller.username, operator, signer: contentSignerOf(caller) };
  await logComment(tx, { ...comment, ...by }, now);
}

async function findParent(tx: Db, parentId: number, postId: number): Promise<FoundComment> {
  const parent = await findComment(tx, parentId).catch(nullIfMissing);
  if (parent?.post_id === postId) return parent;
  throw new ApiError("invalid_parent", undefined, { field: "parentId" });
}

function nullIfMissing(error: unknown): null {
  if (error instanceof ApiError && error.code === "not_found") return null;
  throw error;
}

async function countReply(tx: Db, id: number): Promise<void> {
  await addReply(tx.later, { id });
}

const addReply = prepared<{ id: number }, never>((db, { id }) =>
  db
    .updateTable("comments")
    .set((eb) => ({ reply_count: eb("reply_count", "+", 1) }))
    .where("id", "=", id)
    .compile(),
);

export async function editComment(ctx: Actor, tx: Db, { id, body }: Input<Operations["editComment"]>) {
  const { caller, now } = ctx;
  const comment = await findOwnComment(tx, id, caller);
  await assertEditNotBlocked(tx, caller, comment);
  if (comment.community !== null) await assertMayPublish(tx, "editComment", comment.community, ctx);
  const { body: before } = await readComment(tx, id, caller);
  const is_ai = aiMark(caller, comment.is_ai);
  if (body !== before || is_ai !== comment.is_ai) {
    await keepCommentVersion(tx, id);
    const { version } = await tx
      .updateTable("comments")
      .set({ body, is_ai, edited_at: now, ...nextVersion(editorOf(caller, now)) })
      .where("id", "=", id)
      .returning("version")
      .executeTakeFirstOrThrow();
    const { parent_id: parentId, post_id: postId } = comment;
    await logBy(tx, caller, { id, version, body, parentId, postId, isAi: is_ai === 1 }, now);
  }
  const location = { postId: comment.post_id, commentId: id };
  await notifyMentioned(tx, ctx, location, { text: mentioningText(body), before: mentioningText(before) });
  await recordTags(tx, ctx, location, { tags: tagsIn(body), before: tagsIn(before), isAi: is_ai === 1 });
  if (body !== before) await refuseDuplicates(tx, ctx, [body]);
  if (is_ai !== comment.is_ai) await countAsAi(tx, comment);
  return { comment: await readComment(tx, id, caller) };
}

/** Counts a person's comment as AI content, on the day it was written. */
async function countAsAi(tx: Db, { created_at: at }: FoundComment): Promise<void> {
  await incrementAll(tx, [
    { what: "commentsByPeople", at, times: -1 },
    { what: "commentsByAi", at },
  ]);
}

export async function deleteComment({ caller }: Actor, tx: Db, { id }: Input<Operations["deleteComment"]>) {
  await removeComment(tx, await findOwnComment(tx, id, caller));
  return { deleted: true } as const;
}

/** An edit needs the same check as a new comment: its text must not reach someone behind a block. */
async function assertEditNotBlocked(
  tx: Db,
  caller: Caller,
  { post_id, parent_id }: FoundComment,
): Promise<void> {
  if (!mayBeBlocked(caller)) return;
  const post = await findPost(tx, post_id);
  const parent = parent_id === null ? null : await findComment(tx, parent_id).catch(nullIfMissing);
  await assertNoneBlocked(tx, caller, [post.user_id, parent?.user_id ?? null]);
}
