import { limits } from "@tandem/contract/limits";
import { nativePlatform } from "@tandem/contract/origins";
import { MAX_ID } from "@tandem/contract/schema";
import { sql } from "kysely";
import { changedNothing } from "../../http/activity.ts";
import { invalid } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import type { Call, Handlers } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import {
  accountOf,
  addToTotal,
  creatorOf,
  deleteUnusedCreators,
  findCreator,
} from "../creators/creators.queries.ts";
import { operatorColumns, operatorOf } from "../creators/operator.ts";
import { assertNotBlocked, lockPair } from "./block-check.ts";
import { type CreatorName, knownCreator, namedCreator } from "./named-creator.ts";

export const follows = {
  listFollows: async (ctx, { cursor }) => {
    const rows = await ctx.read
      .selectFrom("follows as f")
      .innerJoin("creators as c", "c.id", "f.creator_id")
      .leftJoin("users as u", "u.id", "c.user_id")
      .leftJoin("users as o", "o.id", "u.operator_id")
      .select(["c.id", "c.platform", "c.author"])
      .select(operatorColumns)
      .where("f.user_id", "=", ctx.caller.userId)
      .where("f.creator_id", "<", cursor ?? MAX_ID)
      .orderBy("f.creator_id", "desc")
      .limit(limits.longList + 1)
      .execute();
    const { page, nextCursor } = pageOf(ctx, rows, limits.longList);
    return {
      follows: page.map((row) => ({
        platform: row.platform,
        author: row.author,
        operator: operatorOf(row),
      })),
      nextCursor,
    };
  },
  follow: (ctx, input) => ctx.write((tx) => follow(ctx, tx, input)),
  unfollow: (ctx, input) => ctx.write((tx) => unfollow(ctx, tx, input)),
} satisfies Handlers<"listFollows" | "follow" | "unfollow">;

export async function follow({ caller }: Call, tx: Db, name: CreatorName) {
  const creator_id = await namedCreator(tx, name);
  await refuseSelf(tx, caller, creator_id);
  if (name.platform === nativePlatform) await refuseBlocked(tx, caller, creator_id);
  if (!(await addFollow(tx, caller.userId, creator_id))) return changedNothing({ following: true });
  await requireRoom(tx, caller);
  return { following: true };
}

/** Adds and counts a follow. Returns whether it is new. */
export async function addFollow(tx: Db, userId: number, creatorId: number): Promise<boolean> {
  const added = await insertFollow(tx, { userId, creatorId });
  if (added.length === 0) return false;
  await addToTotal(tx, creatorId, "follower_count", 1);
  return true;
}

const insertFollow = prepared<{ userId: number; creatorId: number }, { creator_id: number }>(
  (db, { userId, creatorId }) =>
    db
      .insertInto("follows")
      .values({ user_id: userId, creator_id: creatorId })
      .onConflict((conflict) => conflict.doNothing())
      .returning("creator_id")
      .compile(),
);

export async function unfollow({ caller }: Call, tx: Db, name: CreatorName) {
  const creatorId = await knownCreator(tx, name);
  if (creatorId === null) return changedNothing({ following: false });
  await refuseSelf(tx, caller, creatorId);
  const response = { following: false };
  return (await removeFollow(tx, creatorId, caller.userId)) ? response : changedNothing(response);
}

/** Removes an account's follows of creators with these ids. */
export async function unfollowIds(tx: Db, ids: readonly number[], userId: number): Promise<void> {
  // Sorted, because each locks its creator.
  for (const id of ids.toSorted((a, b) => a - b)) await removeFollow(tx, id, userId);
}

async function removeFollow(tx: Db, creatorId: number, userId: number): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("follows")
    .where("user_id", "=", userId)
    .where("creator_id", "=", creatorId)
    .executeTakeFirst();
  const followed = numDeletedRows > 0n;
  if (followed) await addToTotal(tx, creatorId, "follower_count", -1);
  await deleteUnusedCreators(tx, sql`${creatorId}`);
  return followed;
}

/** Removes an account's follows of these creators; returns how many there were. */
export async function unfollowAll(tx: Db, creators: readonly CreatorName[], userId: number): Promise<number> {
  let removed = 0;
  for (const { platform, author } of creators) {
    const creatorId = await findCreator(tx, platform, author);
    if (creatorId !== undefined && (await removeFollow(tx, creatorId, userId))) removed += 1;
  }
  return removed;
}

async function refuseSelf(tx: Db, caller: Caller, creatorId: number): Promise<void> {
  if (creatorId === (await creatorOf(tx, caller.userId)))
    throw invalid("author", "You can't follow yourself.");
}

/** Throws `forbidden` if there is a block. Waits for a block that is being made concurrently. */
async function refuseBlocked(tx: Db, caller: Caller, creatorId: number): Promise<void> {
  const account = await accountOf(tx, creatorId);
  if (account === null) return;
  await lockPair(tx, caller.userId, account);
  await assertNotBlocked(tx, caller, account);
}

/** Runs after the insert, so the new follow counts; if it is one too many, the transaction rolls back. */
async function requireRoom(tx: Db, caller: Caller): Promise<void> {
  const tooMany = await tx
    .selectFrom("follows")
    .select("creator_id")
    .where("user_id", "=", caller.userId)
    .limit(1)
    .offset(limits.followsPerAccount)
    .executeTakeFirst();
  if (tooMany)
    throw invalid(
      "author",
      `You can follow at most ${limits.followsPerAccount} creators. Unfollow one first.`,
    );
}
