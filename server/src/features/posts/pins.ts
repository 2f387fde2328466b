import type { Handlers } from "../../http/context.ts";
import { findOwnPost } from "./posts.queries.ts";

/** The post that an account shows first on its profile. */
export const pins = {
  pinPost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      await tx
        .insertInto("pinned_posts")
        .values({ user_id: ctx.caller.userId, post_id: id })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet({ post_id: id }))
        .execute();
      return { pinned: true };
    }),
  unpinPost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findOwnPost(tx, id, ctx.caller);
      await tx
        .deleteFrom("pinned_posts")
        .where("user_id", "=", ctx.caller.userId)
        .where("post_id", "=", id)
        .execute();
      return { pinned: false };
    }),
} satisfies Handlers<"pinPost" | "unpinPost">;
