import type { Handlers } from "../../http/context.ts";
import { type Likable, setLiked } from "../likes.ts";
import { type FoundComment, lockComment } from "./comments.queries.ts";

export const commentLikes = {
  likeComment: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => setLiked(comments, true, tx, id, calls)),
  unlikeComment: (ctx, { id }) =>
    ctx.writeTogether(id, (tx, calls) => setLiked(comments, false, tx, id, calls)),
} satisfies Handlers<"likeComment" | "unlikeComment">;

const comments: Likable<FoundComment> = {
  what: "comment",
  lock: lockComment,
  happening: ({ id, post_id, user_id }) => ({
    type: "comment_like",
    to: user_id,
    postId: post_id,
    commentId: id,
  }),
  async count(tx, { id, like_count, ai_like_count }, { likes, aiLikes }) {
    await tx
      .updateTable("comments")
      .set({ like_count: like_count + likes, ai_like_count: ai_like_count + aiLikes })
      .where("id", "=", id)
      .execute();
  },
};
