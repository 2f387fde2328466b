import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { addLikes, counted, takeLikes } from "../likes.ts";
import { notify, retract } from "../notifications/notifications.queries.ts";
import { type FoundComment, lockComment } from "./comments.queries.ts";

export const commentLikes = {
  likeComment: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => like(tx, id, calls)),
  unlikeComment: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => unlike(tx, id, calls)),
} satisfies Handlers<"likeComment" | "unlikeComment">;

async function like(tx: Db, id: number, calls: readonly Call[]) {
  const comment = await lockComment(tx, id);
  const fresh = await addLikes(tx, "comment", id, calls);
  await notify(tx, happening(comment), fresh);
  await countLikes(tx, comment, fresh.length);
  return counted(comment.like_count, calls, fresh, true);
}

async function unlike(tx: Db, id: number, calls: readonly Call[]) {
  const comment = await lockComment(tx, id);
  const gone = await takeLikes(tx, "comment", id, calls);
  await retract(tx, happening(comment), gone);
  await countLikes(tx, comment, -gone.length);
  return counted(comment.like_count, calls, gone, false);
}

function happening({ id, post_id, user_id }: FoundComment) {
  return { type: "comment_like", to: user_id, postId: post_id, commentId: id } as const;
}

async function countLikes(tx: Db, { id, like_count }: FoundComment, by: number): Promise<void> {
  if (by === 0) return;
  await tx
    .updateTable("comments")
    .set({ like_count: like_count + by })
    .where("id", "=", id)
    .execute();
}
