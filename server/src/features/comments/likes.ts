import type { Handlers, SignedIn } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { notify, retract } from "../notifications/notifications.queries.ts";
import { type FoundComment, lockComment } from "./comments.queries.ts";

export const commentLikes = {
  likeComment: (ctx, { id }) => ctx.write((tx) => like(ctx, tx, id)),
  unlikeComment: (ctx, { id }) => ctx.write((tx) => unlike(ctx, tx, id)),
} satisfies Handlers<"likeComment" | "unlikeComment">;

async function like({ caller, now }: SignedIn, tx: Db, id: number) {
  const comment = await lockComment(tx, id);
  const fresh = await tx
    .insertInto("comment_likes")
    .values({ user_id: caller.userId, comment_id: id })
    .onConflict((conflict) => conflict.doNothing())
    .returning("comment_id")
    .executeTakeFirst();
  if (!fresh) return { liked: true, likeCount: comment.like_count };
  await notify(tx, { ...happening(comment, caller.userId), now });
  return { liked: true, likeCount: await countLikes(tx, id, 1) };
}

async function unlike({ caller }: SignedIn, tx: Db, id: number) {
  const comment = await lockComment(tx, id);
  const gone = await tx
    .deleteFrom("comment_likes")
    .where("user_id", "=", caller.userId)
    .where("comment_id", "=", id)
    .returning("comment_id")
    .executeTakeFirst();
  if (!gone) return { liked: false, likeCount: comment.like_count };
  await retract(tx, happening(comment, caller.userId));
  return { liked: false, likeCount: await countLikes(tx, id, -1) };
}

function happening({ id, post_id, user_id }: FoundComment, by: number) {
  return { type: "comment_like" as const, to: user_id, by, postId: post_id, commentId: id };
}

async function countLikes(tx: Db, id: number, by: 1 | -1): Promise<number> {
  const { like_count } = await tx
    .updateTable("comments")
    .set((eb) => ({ like_count: eb("like_count", "+", by) }))
    .where("id", "=", id)
    .returning("like_count")
    .executeTakeFirstOrThrow();
  return like_count;
}
