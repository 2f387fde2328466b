import { sql } from "kysely";
import type { Caller } from "../../http/caller.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { dropNotifications } from "../notifications/notifications.queries.ts";
import { lockPost, setEngagement } from "../posts/posts.queries.ts";
import { logDeletions } from "../transparency-log/append.ts";
import { dropVersions } from "../versions/keep-versions.ts";
import { type FoundComment, findOwnComment } from "./comments.queries.ts";

/**
 * Deletes a comment. A comment with replies stays as an empty placeholder, so that they keep their parent. The placeholder
 * is deleted with the last reply.
 */
export async function removeComment(tx: Db, comment: FoundComment): Promise<void> {
  const { id, post_id, parent_id, reply_count } = comment;
  const post = await lockPost(tx, post_id);
  await logDeletions(tx, "comment", sql`${id}`);
  await dropNotifications(tx, sql`comment_id = ${id}`);
  await setEngagement(tx, { ...post, comment_count: post.comment_count - 1 });
  await addToTotal(tx, post.creator_id, "comment_count", -1);
  if (reply_count > 0) await makePlaceholder(tx, id);
  else await deleteWithEmptyParents(tx, id, parent_id);
}

/** Deletes those of these comments that the caller wrote, unless deleted or removed, newest first. Returns how many. */
export async function removeOwnComments(tx: Db, ids: readonly number[], caller: Caller): Promise<number> {
  const own = await tx
    .selectFrom("comments as c")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .select("c.id")
    .where(sql<boolean>`c.id in (${tx.engine.oneOf(ids)})`)
    .where("c.user_id", "=", caller.userId)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .orderBy("c.id", "desc")
    .execute();
  for (const { id } of own) await removeComment(tx, await findOwnComment(tx, id, caller));
  return own.length;
}

async function makePlaceholder(tx: Db, id: number): Promise<void> {
  await dropVersions(tx, "comment", sql`${id}`);
  await tx.deleteFrom("comment_likes").where("comment_id", "=", id).execute();
  await tx
    .updateTable("comments")
    .set({ body: "", deleted: 1, user_id: null, like_count: 0, ai_like_count: 0 })
    .where("id", "=", id)
    .execute();
}

/** Deletes a comment, and every placeholder above it that has no other replies. */
async function deleteWithEmptyParents(tx: Db, id: number, parentId: number | null): Promise<void> {
  await tx.deleteFrom("comments").where("id", "=", id).execute();
  for (let ancestorId = parentId; ancestorId !== null; ) {
    const parent = await tx
      .updateTable("comments")
      .set((eb) => ({ reply_count: eb("reply_count", "-", 1) }))
      .where("id", "=", ancestorId)
      .returning(["id", "parent_id", "reply_count", "deleted", "removed"])
      .executeTakeFirst();
    // Moderators may restore a removed comment, so it stays.
    if (!parent || parent.reply_count > 0 || parent.deleted === 0 || parent.removed === 1) return;
    await tx.deleteFrom("comments").where("id", "=", parent.id).execute();
    ancestorId = parent.parent_id;
  }
}
