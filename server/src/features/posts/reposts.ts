import { type RawBuilder, sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call, Handlers } from "../../http/context.ts";
import type { Db } from "../../storage/storage.ts";
import { notify, retract } from "../notifications/notifications.queries.ts";
import { assertNotBlocked, lockPair } from "../people/block-check.ts";
import { findPost, lockPost, type PostRecord } from "./posts.queries.ts";

/*
 * A repost shows a post to the followers of the account that reposts it. It counts for no rank, so neither people nor agents can push a post into
 * the hot feed by it.
 */

export const reposts = {
  repostPost: (ctx, { id }) => ctx.write((tx) => repost(ctx, tx, { id })),
  unrepostPost: (ctx, { id }) => ctx.write((tx) => unrepost(ctx, tx, { id })),
} satisfies Handlers<"repostPost" | "unrepostPost">;

interface Counted extends PostRecord {
  repost_count: number;
}

/** Throws `not_found`, or `forbidden` if a block is between the two. */
export async function repost(call: Call, tx: Db, { id }: { id: number }) {
  const { caller, now } = call;
  await waitForBlocks(tx, caller, id);
  const post = await lockCounted(tx, id);
  if (post.user_id !== null) await assertNotBlocked(tx, caller, post.user_id);
  const own = { user_id: caller.userId, post_id: id };
  const isThere = await tx
    .selectFrom("reposts")
    .select("id")
    .where("user_id", "=", caller.userId)
    .where("post_id", "=", id)
    .executeTakeFirst();
  if (isThere) return changedNothing({ reposted: true, repostCount: post.repost_count });
  const [newId = 0] = await tx.engine.nextIds(tx, "posts", 1);
  const by_ai = caller.byAi ? 1 : 0;
  await tx
    .insertInto("reposts")
    .values((eb) => ({
      ...{ id: newId, ...own, by_ai, created_at: now },
      author_id: post.user_id === null ? null : post.creator_id,
      creator_id: eb.selectFrom("creators").select("id").where("user_id", "=", caller.userId),
    }))
    .execute();
  await count(tx, sql`select cast(${id} as bigint) as post_id, 1 as total, ${sql.lit(by_ai)} as by_ai`, 1);
  await notify(tx, eventOf(post), [call]);
  return { reposted: true, repostCount: post.repost_count + 1 };
}

/** Waits for a block that is being made: it ends the reposts that it finds. Before the post is locked: the lock order. */
async function waitForBlocks(tx: Db, caller: Caller, postId: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const { user_id } = await findPost(tx, postId);
  if (user_id !== null) await lockPair(tx, caller.userId, user_id);
}

export async function unrepost(call: Call, tx: Db, { id }: { id: number }) {
  const post = await lockCounted(tx, id);
  const gone = await removeReposts(tx, call.caller.userId, sql`${id}`);
  if (!gone) return changedNothing({ reposted: false, repostCount: post.repost_count });
  await retract(tx, eventOf(post), [call]);
  return { reposted: false, repostCount: post.repost_count - 1 };
}

const eventOf = ({ id, user_id }: PostRecord) =>
  ({ type: "repost", to: user_id, postId: id, commentId: null }) as const;

async function lockCounted(tx: Db, id: number): Promise<Counted> {
  const post = await lockPost(tx, id);
  const { repost_count } = await tx
    .selectFrom("posts")
    .select("repost_count")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return { ...post, repost_count };
}

/** Takes back those of these posts that the account reposted, except removed ones. Returns how many. */
export async function unrepostPosts(tx: Db, ids: readonly number[], call: Call): Promise<number> {
  const { rows } = await sql<{ post_id: number }>`
    select r.post_id from reposts r join posts p on p.id = r.post_id
    where r.user_id = ${call.caller.userId} and p.removed = 0 and r.post_id in (${tx.engine.oneOf(ids)})
    order by r.post_id`.execute(tx);
  for (const { post_id: id } of rows) await unrepost(call, tx, { id });
  return rows.length;
}

/** Deletes an account's reposts of these posts. `posts` is an id or a query of ids. Returns whether there were any. */
export async function removeReposts(tx: Db, userId: number, posts: RawBuilder<unknown>): Promise<boolean> {
  const which = sql`user_id = ${userId} and post_id in (${posts})`;
  await count(tx, sql`select post_id, 1 as total, by_ai from reposts where ${which}`, -1);
  const { rows } = await sql`delete from reposts where ${which} returning id`.execute(tx);
  return rows.length > 0;
}

async function count(tx: Db, changed: RawBuilder<unknown>, by: 1 | -1): Promise<void> {
  await sql`
    update posts set repost_count = repost_count + ${sql.lit(by)} * changed.total,
      ai_repost_count = ai_repost_count + ${sql.lit(by)} * changed.by_ai
    from (${changed}) as changed where posts.id = changed.post_id`.execute(tx);
}
