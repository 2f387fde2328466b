import type { Handlers, SignedIn } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";
import { notify, retract } from "../notifications/notifications.queries.ts";
import { lockPost, type PostFigures, setInterest } from "./posts.queries.ts";

export const postLikes = {
  likePost: (ctx, { id }) => ctx.write((tx) => like(ctx, tx, id)),
  unlikePost: (ctx, { id }) => ctx.write((tx) => unlike(ctx, tx, id)),
} satisfies Handlers<"likePost" | "unlikePost">;

async function like({ caller, now }: SignedIn, tx: Db, id: number) {
  const post = await lockPost(tx, id);
  const [fresh] = await addLike(tx, { user: caller.userId, post: id });
  if (!fresh) return { liked: true, likeCount: post.like_count };
  await notify(tx, {
    type: "post_like",
    to: post.user_id,
    by: caller.userId,
    postId: id,
    commentId: null,
    now,
  });
  return { liked: true, likeCount: await countLikes(tx, post, 1) };
}

async function unlike({ caller }: SignedIn, tx: Db, id: number) {
  const post = await lockPost(tx, id);
  const [gone] = await takeLike(tx, { user: caller.userId, post: id });
  if (!gone) return { liked: false, likeCount: post.like_count };
  await retract(tx, { type: "post_like", to: post.user_id, by: caller.userId, postId: id, commentId: null });
  return { liked: false, likeCount: await countLikes(tx, post, -1) };
}

async function countLikes(tx: Db, post: PostFigures, by: 1 | -1): Promise<number> {
  const likeCount = post.like_count + by;
  await setInterest(tx, { ...post, like_count: likeCount });
  await addToTotal(tx, post.creator_id, "like_count", by);
  return likeCount;
}

const addLike = prepared<{ user: number; post: number }, { post_id: number }>((db, { user, post }) =>
  db
    .insertInto("post_likes")
    .values({ user_id: user, post_id: post })
    .onConflict((conflict) => conflict.doNothing())
    .returning("post_id")
    .compile(),
);

const takeLike = prepared<{ user: number; post: number }, { post_id: number }>((db, { user, post }) =>
  db
    .deleteFrom("post_likes")
    .where("user_id", "=", user)
    .where("post_id", "=", post)
    .returning("post_id")
    .compile(),
);
