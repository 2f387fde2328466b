import { sql } from "kysely";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { type Likable, setLiked } from "../likes/likes.ts";
import { type FoundComment, lockComment } from "./comments.queries.ts";

export const commentLikes = {
  likeComment: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => setCommentLiked(true, tx, id, calls)),
  unlikeComment: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => setCommentLiked(false, tx, id, calls)),
} satisfies Handlers<"likeComment" | "unlikeComment">;

/** As `setLiked`, for a comment. */
export function setCommentLiked(liked: boolean, tx: Db, id: number, calls: readonly Call[]) {
  return setLiked(comments, liked, tx, id, calls);
}

/** Unlikes those of these comments that the caller liked. Returns how many. */
export async function unlikeComments(tx: Db, ids: readonly number[], call: Call): Promise<number> {
  const liked = await tx
    .selectFrom("comment_likes as l")
    .innerJoin("comments as c", "c.id", "l.comment_id")
    .innerJoin("posts as p", "p.id", "c.post_id")
    .select("l.comment_id")
    .where("l.user_id", "=", call.caller.userId)
    .where(sql<boolean>`l.comment_id in (${tx.engine.oneOf(ids)})`)
    .where("c.deleted", "=", 0)
    .where("p.removed", "=", 0)
    .orderBy("l.comment_id")
    .execute();
  for (const { comment_id } of liked) await setCommentLiked(false, tx, comment_id, [call]);
  return liked.length;
}

const comments: Likable<FoundComment> = {
  what: "comment",
  lock: lockComment,
  event: ({ id, post_id, user_id }) => ({
    type: "comment_like",
    to: user_id,
    postId: post_id,
    commentId: id,
  }),
  async count(tx, { id, like_count, ai_like_count }, { likes, aiLikes }) {
    await tx.later
      .updateTable("comments")
      .set({ like_count: like_count + likes, ai_like_count: ai_like_count + aiLikes })
      .where("id", "=", id)
      .execute();
  },
};
