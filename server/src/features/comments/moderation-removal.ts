import { notFound } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import {
  changeCommentCountIfRemoved,
  lockForModeration as lockPostForModeration,
} from "../posts/moderation-removal.ts";
import { lockPost, setEngagement } from "../posts/posts.queries.ts";

/*
 * A comment that moderators remove keeps its row and its content. Its columns `removed` and `deleted` are set, so that it
 * is shown as deleted; restoring it only clears them.
 */

/** A comment, removed or not. */
export interface ModeratedComment {
  id: number;
  post_id: number;
  user_id: number | null;
  body: string;
  is_ai: number;
  removed: number;
}

/**
 * Locks a comment and its post, removed or not, until the transaction ends. Throws `not_found`, also if its author deleted
 * the comment.
 */
export async function lockForModeration(tx: Db, id: number): Promise<ModeratedComment> {
  const found = await find(tx, id);
  await lockPostForModeration(tx, found.post_id);
  return tx.engine.rowLocks ? find(tx, id) : found;
}

async function find(tx: Db, id: number): Promise<ModeratedComment> {
  const row = await tx
    .selectFrom("comments")
    .select(["id", "post_id", "user_id", "body", "is_ai", "deleted", "removed"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row || (row.deleted === 1 && row.removed === 0)) throw notFound("comment");
  return row;
}

/** Removes a comment that isn't removed yet. */
export async function removeForModeration(tx: Db, comment: ModeratedComment): Promise<void> {
  await setRemoved(tx, comment, 1);
}

/** Restores a removed comment as it was. */
export async function restore(tx: Db, comment: ModeratedComment): Promise<void> {
  await setRemoved(tx, comment, 0);
}

async function setRemoved(tx: Db, { id, post_id }: ModeratedComment, removed: 0 | 1): Promise<void> {
  const delta = removed === 1 ? -1 : 1;
  await tx.updateTable("comments").set({ deleted: removed, removed }).where("id", "=", id).execute();
  if (await changeCommentCountIfRemoved(tx, post_id, delta)) return;
  const post = await lockPost(tx, post_id);
  await setEngagement(tx, { ...post, comment_count: post.comment_count + delta });
  await addToTotal(tx, post.creator_id, "comment_count", delta);
}
