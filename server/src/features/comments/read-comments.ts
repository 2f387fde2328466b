import { limits } from "@tandem/contract/limits";
import type { Comment, ListedComment } from "@tandem/contract/post-resources";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { hideFromPlanner } from "../../storage/planner-hints.ts";
import { fromFragment } from "../../storage/post-fragment.ts";
import type { Db } from "../../storage/storage.ts";
import { findPublicCreator } from "../creators/creators.queries.ts";
import { notBlocked } from "../people/block-check.ts";
import { mutesOf } from "../shared/mutes.ts";
import {
  ANONYMOUS,
  asComment,
  type CommentView,
  hideIfAi,
  hideIfMuted,
  selectComments,
} from "./comments.queries.ts";

/** Comments that aren't read with their post: one with the thread above it, and the caller's own. */
export const readComments = {
  readComment: async ({ read, caller, now }, { id, ai = caller?.ai.comments, muted }) => {
    const rows = await withAncestors(read, id, caller?.userId ?? ANONYMOUS);
    const thread = rows.map((row) => (ai === "hide" ? hideIfAi(row, caller) : row));
    const comment = thread.pop();
    if (!comment) throw notFound("comment");
    // The comment itself is shown, because the caller asked for it.
    const mutes = muted === "show" || thread.length === 0 ? null : await mutesOf(read, caller, now);
    return {
      comment: asComment(comment),
      ancestors: thread.map((row) => asComment(hideIfMuted(row, mutes))),
    };
  },
  listOwnComments: async (ctx, { limit = limits.page.default, cursor = MAX_ID }) => {
    const range = { before: cursor, limit: limit + 1 };
    const { rows } = await ownComments(ctx.caller.userId, range).execute(ctx.read);
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    return { comments: page.map(asComment), nextCursor };
  },
  listCreatorComments: async (ctx, input) => {
    const { platform, author, ai = ctx.caller?.ai.comments } = input;
    const { limit = limits.page.default, cursor = MAX_ID } = input;
    const creator = await findPublicCreator(ctx.read, platform, author);
    if (creator === undefined) throw notFound("creator");
    const rows = await commentsOf(ctx.read, creator, ctx.caller, { before: cursor, limit: limit + 1 });
    const { page, nextCursor } = pageOf(ctx, rows, limit);
    const comments = page.map((row) => asComment(ai === "hide" ? hideIfAi(row, ctx.caller) : row));
    return { comments: await withTitles(ctx.read, comments), nextCursor };
  },
} satisfies Handlers<"readComment" | "listOwnComments" | "listCreatorComments">;

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

/** What a creator wrote on visible posts, newest first; nothing if a block is between the creator and the caller. */
async function commentsOf(
  db: Db,
  creator: number,
  caller: Caller | null,
  { before, limit }: { before: number; limit: number },
): Promise<CommentView[]> {
  const unblocked = (caller?.blocksOf ?? []).map((id) => notBlocked(sql`${id}`, sql`${creator}`));
  const author = sql`(select user_id from creators where id = ${creator})`;
  const conditions = [
    sql`c.user_id = ${author} and c.id < ${before} and c.deleted = 0`,
    sql`exists (select 1 from posts p where p.id = c.post_id and p.removed = 0)`,
    ...unblocked,
  ];
  const { rows } = await sql<CommentView>`${selectComments(caller?.userId ?? ANONYMOUS)}
    where ${sql.join(conditions, sql` and `)} order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

async function withTitles(db: Db, comments: readonly Comment[]): Promise<ListedComment[]> {
  const posts = await db
    .selectFrom("posts")
    .select(["id", "fragment"])
    .where(sql<boolean>`id in (${db.engine.oneOf(comments.map(({ postId }) => postId))})`)
    .execute();
  const found = new Map(posts.map(({ id, fragment }) => [id, fromFragment(fragment)]));
  return comments.map((comment) => {
    const { title, provenance, provenanceBasis } = found.get(comment.postId) ?? deletedPost;
    return { ...comment, postTitle: title, postProvenance: provenance, postProvenanceBasis: provenanceBasis };
  });
}

/** A post that was deleted after its comments were read. */
const deletedPost = { title: null, provenance: "human", provenanceBasis: "assumed" } as const;

/** An account's comments, newest first. */
export function ownComments(
  userId: number,
  { before, limit }: { before: number; limit: number },
): RawBuilder<CommentView> {
  return sql<CommentView>`${selectComments(userId)}
    where c.user_id = ${hideFromPlanner(userId)} and c.id < ${before} order by c.id desc limit ${limit}`;
}
