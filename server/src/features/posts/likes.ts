import { sql } from "kysely";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { type Likable, setLiked } from "../likes/likes.ts";
import { lockPost, type PostRecord, setEngagement } from "./posts.queries.ts";

export const postLikes = {
  likePost: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => setPostLiked(true, tx, id, calls)),
  unlikePost: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => setPostLiked(false, tx, id, calls)),
} satisfies Handlers<"likePost" | "unlikePost">;

/** As `setLiked`, for a post. */
export function setPostLiked(liked: boolean, tx: Db, id: number, calls: readonly Call[]) {
  return setLiked(posts, liked, tx, id, calls);
}

/** Unlikes those of these posts that the caller liked, except removed ones. Returns how many. */
export async function unlikePosts(tx: Db, ids: readonly number[], call: Call): Promise<number> {
  const liked = await tx
    .selectFrom("post_likes")
    .innerJoin("posts as p", "p.id", "post_likes.post_id")
    .select("post_id")
    .where("user_id", "=", call.caller.userId)
    .where(sql<boolean>`post_id in (${tx.engine.oneOf(ids)})`)
    .where("p.removed", "=", 0)
    .orderBy("post_id")
    .execute();
  for (const { post_id } of liked) await setPostLiked(false, tx, post_id, [call]);
  return liked.length;
}

const posts: Likable<PostRecord> = {
  what: "post",
  lock: lockPost,
  event: ({ id, user_id }) => ({ type: "post_like", to: user_id, postId: id, commentId: null }),
  async count(tx, post, { likes, aiLikes }) {
    const like_count = post.like_count + likes;
    await setEngagement(tx, { ...post, like_count, ai_like_count: post.ai_like_count + aiLikes });
    await addToTotal(tx, post.creator_id, "like_count", likes);
  },
};
