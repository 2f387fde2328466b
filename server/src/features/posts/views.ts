import type { Handlers } from "../../http/context.ts";
import { notFound } from "../../http/problem.ts";
import { prepared } from "../../storage/prepared.ts";
import { addToTotal } from "../creators/creators.queries.ts";

export const views = {
  viewPost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      const [post] = await countView(tx, { id });
      if (!post) throw notFound("post");
      await addToTotal(tx, post.creator_id, "view_count", 1);
      return { viewCount: post.view_count };
    }),
} satisfies Handlers<"viewPost">;

const countView = prepared<{ id: number }, { view_count: number; creator_id: number }>((db, { id }) =>
  db
    .updateTable("posts")
    .set((eb) => ({ view_count: eb("view_count", "+", 1) }))
    .where("id", "=", id)
    .returning(["view_count", "creator_id"])
    .compile(),
);
