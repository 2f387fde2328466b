import type { Handlers } from "../../http/context.ts";
import { findPost } from "./posts.queries.ts";

export const saves = {
  savePost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      await tx
        .insertInto("post_saves")
        .values({ user_id: ctx.caller.userId, post_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return { saved: true };
    }),
  unsavePost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      await tx
        .deleteFrom("post_saves")
        .where("user_id", "=", ctx.caller.userId)
        .where("post_id", "=", id)
        .execute();
      return { saved: false };
    }),
} satisfies Handlers<"savePost" | "unsavePost">;
