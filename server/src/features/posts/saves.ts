import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import type { Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { removeUnsaved } from "./collections.ts";
import { findPost } from "./posts.queries.ts";

export const saves = {
  savePost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      const saved = await tx
        .insertInto("post_saves")
        .values({ user_id: ctx.caller.userId, post_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .returning("post_id")
        .executeTakeFirst();
      return saved ? { saved: true } : changedNothing({ saved: true });
    }),
  unsavePost: (ctx, { id }) =>
    ctx.write(async (tx) => {
      await findPost(tx, id);
      const response = { saved: false };
      return (await unsavePosts(tx, [id], ctx.caller.userId)) > 0 ? response : changedNothing(response);
    }),
} satisfies Handlers<"savePost" | "unsavePost">;

/** Saves posts for an account. Returns the ids of those that it hadn't saved. */
export async function saveAll(tx: Db, userId: number, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set();
  const { rows } = await sql<{ post_id: number }>`
    insert into post_saves (user_id, post_id)
    select cast(${userId} as bigint), id from posts where id in (${tx.engine.oneOf(ids)}) and removed = 0
    on conflict do nothing returning post_id`.execute(tx);
  return new Set(rows.map(({ post_id }) => post_id));
}

/** Removes these posts from an account's saved list, and from its collections. Returns how many were on it. */
export async function unsavePosts(tx: Db, ids: readonly number[], userId: number): Promise<number> {
  const unsaved = await tx
    .deleteFrom("post_saves")
    .where("user_id", "=", userId)
    .where(sql<boolean>`post_id in (${tx.engine.oneOf(ids)})`)
    .returning("post_id")
    .execute();
  if (unsaved.length > 0) await removeUnsaved(tx, userId, tx.engine.oneOf(ids));
  return unsaved.length;
}
