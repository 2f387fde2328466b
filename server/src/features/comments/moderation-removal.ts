import { notFound } from "../../http/api-error.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { addCommentToRemoved, lockForModeration as lockJudgedPost } from "../posts/moderation-removal.ts";
import { lockPost, setEngagement } from "../posts/posts.queries.ts";

/*
 * A comment that moderators take away is told by a mark alone: it counts as deleted, and whatever it was is there when it
 * comes back.
 */

/** A comment that may have been removed. */
export interface JudgedComment {
  id: number;
  post_id: number;
  user_id: number | null;
  body: string;
  removed: number;
  /** The key that made it. */
  made_with: number | null;
}

/**
 * With its post, which may have been removed as well, nobody else's to change until the transaction ends. Throws
 * `not_found`, for what its author deleted too.
 */
export async function lockForModeration(tx: Db, id: number): Promise<JudgedComment> {
  const found = await find(tx, id);
  await lockJudgedPost(tx, found.post_id);
  return tx.engine.rowLocks ? find(tx, id) : found;
}

async function find(tx: Db, id: number): Promise<JudgedComment> {
  const row = await tx
    .selectFrom("comments")
    .select(["id", "post_id", "user_id", "body", "deleted", "removed", "made_with"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row || (row.deleted === 1 && row.removed === 0)) throw notFound("comment");
  return row;
}

/** Takes a comment away that is there. */
export async function removeForModeration(tx: Db, comment: JudgedComment): Promise<void> {
  await setRemoved(tx, comment, 1);
}

/** Brings a removed comment back as it was. */
export async function restore(tx: Db, comment: JudgedComment): Promise<void> {
  await setRemoved(tx, comment, 0);
}

async function setRemoved(tx: Db, { id, post_id }: JudgedComment, removed: 0 | 1): Promise<void> {
  const by = removed === 1 ? -1 : 1;
  await tx.updateTable("comments").set({ deleted: removed, removed }).where("id", "=", id).execute();
  if (await addCommentToRemoved(tx, post_id, by)) return;
  const post = await lockPost(tx, post_id);
  await setEngagement(tx, { ...post, comment_count: post.comment_count + by });
  await addToTotal(tx, post.creator_id, "comment_count", by);
}
