import type { Handlers } from "../../http/context.ts";
import { findPost } from "./posts.queries.ts";

export const dismissals = {
  dismissPost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      await tx
        .insertInto("dismissals")
        .values({ user_id: ctx.caller.userId, post_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return { dismissed: true };
    }),
} satisfies Handlers<"dismissPost">;
