import { limits } from "@tandem/contract/limits";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import type { Db } from "../../storage/storage.ts";
import { ANONYMOUS, asComment, type CommentView, hideIfAi, selectComments } from "./comments.queries.ts";

/** Comments that aren't read with their post: one with the thread above it, and the caller's own. */
export const readComments = {
  readComment: async ({ read, caller }, { id, ai = caller?.ai.comments }) => {
    const rows = await withAncestors(read, id, caller?.userId ?? ANONYMOUS);
    const thread = rows.map((row) => asComment(ai === "hide" ? hideIfAi(row, caller) : row));
    const comment = thread.pop();
    if (!comment) throw notFound("comment");
    return { comment, ancestors: thread };
  },
  listOwnComments: async (ctx, { limit = limits.page.default, cursor = MAX_ID }) => {
    const range = { before: cursor, limit: limit + 1 };
    const { rows } = await ownComments(ctx.caller.userId, range).execute(ctx.read);
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { comments: page.map(asComment), nextCursor };
  },
} satisfies Handlers<"readComment" | "listOwnComments">;

/** A comment of a visible post, after those that it replies to; nothing if there is none. */
async function withAncestors(db: Db, id: number, caller: number): Promise<CommentView[]> {
  const { rows } = await sql<CommentView>`
    with recursive thread (id, parent_id, height) as (
      select c.id, c.parent_id, 0 from comments c join posts p on p.id = c.post_id
        where c.id = ${id} and p.removed = 0
      union all
      select c.id, c.parent_id, height + 1 from thread join comments c on c.id = thread.parent_id
        where height < ${sql.lit(limits.ancestors)}
    )
    ${selectComments(caller)} join thread on thread.id = c.id order by thread.height desc`.execute(db);
  return rows;
}

/** An account's comments, newest first. */
export function ownComments(
  userId: number,
  { before, limit }: { before: number; limit: number },
): RawBuilder<CommentView> {
  return sql<CommentView>`${selectComments(userId)}
    where c.user_id = ${hideFromPlanner(userId)} and c.id < ${before} order by c.id desc limit ${limit}`;
}
