import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { addToTotal } from "../creators/creators.queries.ts";

export const views = {
  viewPost: (ctx, { id }) => ctx.writeTogether(id, (tx, calls) => view(tx, id, calls.length)),
} satisfies Handlers<"viewPost">;

/** Adds `views` views, and returns the count after each of them. */
async function view(tx: Db, id: number, views: number) {
  const [post] = await countViews(tx, { id, views });
  if (!post) throw notFound("post");
  await addToTotal(tx, post.creator_id, "view_count", views);
  const before = post.view_count - views;
  return Array.from({ length: views }, (_, i) => ({ viewCount: before + i + 1 }));
}

interface Views {
  id: number;
  views: number;
}

const countViews = prepared<Views, { view_count: number; creator_id: number }>((db, { id, views }) =>
  db
    .updateTable("posts")
    .set((eb) => ({ view_count: eb("view_count", "+", views) }))
    .where("id", "=", id)
    .where("removed", "=", 0)
    .returning(["view_count", "creator_id"])
    .compile(),
);
