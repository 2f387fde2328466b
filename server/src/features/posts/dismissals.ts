import { changedNothing } from "../../http/activity.ts";
import type { Handlers } from "../../http/context.ts";
import { findPost } from "./posts.queries.ts";

export const dismissals = {
  dismissPost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      const response = { dismissed: true };
      const dismissed = await tx
        .insertInto("dismissals")
        .values({ user_id: ctx.caller.userId, post_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .returning("post_id")
        .executeTakeFirst();
      return dismissed ? response : changedNothing(response);
    }),
} satisfies Handlers<"dismissPost">;
