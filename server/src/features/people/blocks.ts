import { limits } from "@tandem/contract/limits";
import type { Block } from "@tandem/contract/people";
import { MAX_ID } from "@tandem/contract/schema";
import { type RawBuilder, sql } from "kysely";
import { invalid } from "../../http/api-error.ts";
import type { Handlers, SignedIn } from "../../http/context.ts";
import { pageOf } from "../../http/page.ts";
import type { Db } from "../../storage/storage.ts";
import { findOther } from "../accounts/find-account.ts";
import { endFollows } from "../creators/creators.queries.ts";
import { lockPair } from "./block-check.ts";
import { endReposts } from "./end-reposts.ts";
import { endFriendship } from "./friends.queries.ts";

export const blocks = {
  listBlocks: async (ctx, { cursor }) => {
    const rows = await blockedBy(ctx.read, ctx.caller.userId, cursor ?? MAX_ID);
    const { page, nextCursor } = pageOf(ctx, rows, limits.longList);
    return { blocks: page.map(asBlock), nextCursor };
  },
  block: (ctx, { username }) => ctx.write((tx) => block(ctx, tx, username)),
  unblock: (ctx, { username }) => ctx.write((tx) => unblock(ctx, tx, username)),
} satisfies Handlers<"listBlocks" | "block" | "unblock">;

async function block({ caller, now }: SignedIn, tx: Db, username: string) {
  const other = await findOther(tx, caller, username);
  if (other.operator_id === caller.userId)
    throw invalid("username", "You can't block your own agent. Delete it or revoke its keys instead.");
  await lockPair(tx, caller.userId, other.id);
  if (await addBlock(tx, caller.userId, other.id, now)) await requireRoom(tx, caller.userId);
  return { blocked: true } as const;
}

/** Adds a block, and ends reposts, follows and friendship between the two accounts. Returns whether the block is new. */
export async function addBlock(tx: Db, userId: number, otherId: number, now: number): Promise<boolean> {
  // First, because posts are locked before accounts.
  await endReposts(tx, withAgents(userId), withAgents(otherId));
  const added = await setBlocked(tx, userId, otherId, now);
  await endFollows(tx, withAgents(userId), withAgents(otherId));
  await endFollows(tx, withAgents(otherId), withAgents(userId));
  await endFriendship(tx, userId, otherId);
  return added;
}

/** The ids of an account and the agents that it operates. */
function withAgents(userId: number): RawBuilder<number> {
  return sql<number>`select id from users where id = ${userId} or operator_id = ${userId}`;
}

/** Returns whether the block is new. */
async function setBlocked(tx: Db, userId: number, otherId: number, now: number): Promise<boolean> {
  const added = await tx
    .insertInto("blocks")
    .values({ user_id: userId, other_id: otherId, blocked_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(["user_id", "other_id"])
        .doUpdateSet({ blocked_at: now })
        .where("blocks.blocked_at", "is", null),
    )
    .returning("user_id")
    .executeTakeFirst();
  await tx
    .insertInto("blocks")
    .values({ user_id: otherId, other_id: userId, blocked_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (added) await markHasBlocks(tx, userId, otherId);
  return added !== undefined;
}

/** Marks accounts whose blocks must be checked. The mark is never removed, so that without it there can't be a block. */
async function markHasBlocks(tx: Db, ...ids: number[]): Promise<void> {
  // In ascending id order, to avoid deadlocks.
  for (const id of ids.toSorted((a, b) => a - b))
    await tx
      .updateTable("users")
      .set({ has_blocks: 1 })
      .where("id", "=", id)
      .where("has_blocks", "=", 0)
      .execute();
}

/** Runs after the insert, so the new block counts; if it is one too many, the transaction rolls back. */
async function requireRoom(tx: Db, userId: number): Promise<void> {
  const tooMany = await tx
    .selectFrom("blocks")
    .select("other_id")
    .where("user_id", "=", userId)
    .where("blocked_at", "is not", null)
    .limit(1)
    .offset(limits.blocksPerAccount)
    .executeTakeFirst();
  if (tooMany)
    throw invalid(
      "username",
      `You can block at most ${limits.blocksPerAccount} accounts. Unblock one first.`,
    );
}

async function unblock({ caller }: SignedIn, tx: Db, username: string) {
  const other = await findOther(tx, caller, username);
  await lockPair(tx, caller.userId, other.id);
  await tx
    .updateTable("blocks")
    .set({ blocked_at: null })
    .where("user_id", "=", caller.userId)
    .where("other_id", "=", other.id)
    .execute();
  await dropUnlessBlocked(tx, caller.userId, other.id);
  return { blocked: false } as const;
}

/** Deletes both rows once neither account blocks the other. */
async function dropUnlessBlocked(tx: Db, userId: number, otherId: number): Promise<void> {
  const otherRow = await tx
    .selectFrom("blocks")
    .select("blocked_at")
    .where("user_id", "=", otherId)
    .where("other_id", "=", userId)
    .executeTakeFirst();
  if (otherRow?.blocked_at !== null) return;
  await sql`delete from blocks where (user_id = ${userId} and other_id = ${otherId})
    or (user_id = ${otherId} and other_id = ${userId})`.execute(tx);
}

function blockedBy(db: Db, userId: number, below: number) {
  return db
    .selectFrom("blocks as b")
    .innerJoin("users as u", "u.id", "b.other_id")
    .select(["u.id", "u.username", "u.display_name", "u.avatar_url", "u.role"])
    .select((eb) => eb.ref("b.blocked_at").$notNull().as("blocked_at"))
    .where("b.user_id", "=", userId)
    .where("b.blocked_at", "is not", null)
    .where("b.other_id", "<", below)
    .orderBy("b.other_id", "desc")
    .limit(limits.longList + 1)
    .execute();
}

type Row = Awaited<ReturnType<typeof blockedBy>>[number];

function asBlock(row: Row): Block {
  return {
    username: row.username,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    isAgent: row.role === "agent",
    createdAt: new Date(row.blocked_at).toISOString(),
  };
}
