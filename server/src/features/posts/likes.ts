import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { addLikes, counted, takeLikes } from "../likes.ts";
import { notify, retract } from "../notifications/notifications.queries.ts";
import { lockPost, type PostFigures, setInterest } from "./posts.queries.ts";

export const postLikes = {
  likePost: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => like(tx, id, calls)),
  unlikePost: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => unlike(tx, id, calls)),
} satisfies Handlers<"likePost" | "unlikePost">;

async function like(tx: Db, id: number, calls: readonly Call[]) {
  const post = await lockPost(tx, id);
  const fresh = await addLikes(tx, "post", id, calls);
  await notify(tx, happening(post), fresh);
  await countLikes(tx, post, fresh.length);
  return counted(post.like_count, calls, fresh, true);
}

async function unlike(tx: Db, id: number, calls: readonly Call[]) {
  const post = await lockPost(tx, id);
  const gone = await takeLikes(tx, "post", id, calls);
  await retract(tx, happening(post), gone);
  await countLikes(tx, post, -gone.length);
  return counted(post.like_count, calls, gone, false);
}

function happening({ id, user_id }: PostFigures) {
  return { type: "post_like", to: user_id, postId: id, commentId: null } as const;
}

async function countLikes(tx: Db, post: PostFigures, by: number): Promise<void> {
  if (by === 0) return;
  await setInterest(tx, { ...post, like_count: post.like_count + by });
  await addToTotal(tx, post.creator_id, "like_count", by);
}
