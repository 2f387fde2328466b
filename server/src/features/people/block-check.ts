import { routeOf } from "@tandem/contract/hints";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { idRows, idsJson } from "../../storage/id-rows.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";
import { blockBetween } from "../shared/blocked.ts";

/*
 * A block works both ways, whichever account made it. A block of a person also covers the agents they operate, or else they
 * could send an agent; a block of an agent covers that agent alone. So two accounts are blocked if there is a block between
 * either of one account and its operator, and either of the other and its operator.
 */

/**
 * Throws `forbidden` if the caller and this account are blocked. For writes that create something lasting between the two;
 * call {@link lockPair} first.
 */
export async function assertNotBlocked(db: Db, caller: Caller, other: number): Promise<void> {
  if ((await blockedAmong(db, caller.userId, [other])).size > 0) throw blockedError();
}

/**
 * Throws `forbidden` if the caller and any of these accounts are blocked; null stands for an author without an account.
 * Doesn't see a block that was made after the request was authenticated if it is the caller's first; that race is accepted.
 */
export async function assertNoneBlocked(db: Db, caller: Caller, others: (number | null)[]): Promise<void> {
  const ids = others.filter((id) => id !== null);
  if (ids.length === 0 || !mayBeBlocked(caller)) return;
  if ((await blockedAmong(db, caller.userId, ids)).size > 0) throw blockedError();
}

/** An account and, for an agent, its operator, if either ever blocked someone or was blocked; see `Caller.blocksOf`. */
export async function accountsWithBlocks(db: Db, userId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from users where has_blocks = 1
      and id in (select id from users where id = ${userId} union all select operator_id from users where id = ${userId})
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether blocks need to be checked at all. */
export function mayBeBlocked({ blocksOf }: Pick<Caller, "blocksOf">): boolean {
  return blocksOf.length > 0;
}

export function blockedError(): ApiError {
  return new ApiError("forbidden", "You can't interact: one of you has blocked the other.", {
    hint: `Don't retry. It works again once the account that made the block ends it (${routeOf("unblock")}).`,
  });
}

/** Those of `others` that are blocked from `userId`, or block it. */
export async function blockedAmong(db: Db, userId: number, others: readonly number[]): Promise<Set<number>> {
  const listed = idsJson(others);
  return new Set((await blocked(db, { userId, listed })).map(({ account }) => account));
}

const blocked = prepared<{ userId: number; listed: string }, { account: number }>((db, { userId, listed }) =>
  sql<{ account: number }>`
    with listed as (select id from (${idRows(db, listed)}) as given),
      ours (id) as (
        select id from users where id = ${userId}
        union all select operator_id from users where id = ${userId} and operator_id is not null
      ),
      theirs (account, id) as (
        select id, id from listed
        union all select u.id, u.operator_id from listed join users u on u.id = listed.id
          where u.operator_id is not null
      )
    select theirs.account from theirs cross join ours where ${blockBetween(sql`ours.id`, sql`theirs.id`)} = 1`.compile(
    db,
  ),
);

/**
 * A condition on rows with the column `creator`: true unless there is a block between `account` and the creator's account or
 * its operator. Looked up row by row, so the cost per row doesn't depend on the number of blocks.
 */
export function notBlocked(account: RawBuilder<unknown>, creator: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const user = sql`(select user_id from creators where id = ${creator})`;
  const operator = sql`(select u.operator_id from creators c join users u on u.id = c.user_id where c.id = ${creator})`;
  // Phrased so that the planner estimates it to be true for nearly every row, as it is, rather than for nearly none.
  return sql`nullif(coalesce(${blockBetween(account, user)}, ${blockBetween(account, operator)}, 0), 1) is not null`;
}

/**
 * Serializes writes to the relationship of two accounts, or of their operators: what is read of it stays true until the
 * transaction ends.
 */
export async function lockPair(tx: Db, userId: number, other: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const people = await tx
    .selectFrom("users")
    .select((eb) => eb.fn.coalesce("operator_id", "id").as("id"))
    .where("id", "in", [userId, other])
    .execute();
  const ids = people.map(({ id }) => id).toSorted((a, b) => a - b);
  await tx.engine.lock(tx, [`between ${ids.join(" and ")}`]);
}
