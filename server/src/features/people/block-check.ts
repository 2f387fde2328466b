import { type RawBuilder, type SqlBool, sql } from "kysely";
import { ApiError } from "../../http/api-error.ts";
import type { Caller } from "../../http/caller.ts";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

/*
 * Whom a block keeps apart, whoever of the two made it. One that names a person holds for the agents that they
 * operate as well, or else it would be a matter of sending one; one that names an agent holds for that agent alone.
 * So two accounts are apart if a block is between any of one account and its operator, and any of the other and its.
 */

/** Refuses what is not to be between this account and the caller, and would last. Comes after {@link lockPair}. */
export async function assertNotBlocked(db: Db, caller: Caller, other: number): Promise<void> {
  if ((await blockedAmong(db, caller.userId, [other])).size > 0) throw blockedError();
}

/**
 * Refuses what is said to these accounts across a block; null where there is no account of ours. A block that was made
 * since the call came is not heeded where it is the caller's first: the two met.
 */
export async function assertNoneBlocked(db: Db, caller: Caller, others: (number | null)[]): Promise<void> {
  const known = others.filter((id) => id !== null);
  if (known.length === 0 || !mayBeBlocked(caller)) return;
  if ((await blockedAmong(db, caller.userId, known)).size > 0) throw blockedError();
}

/** Whether it is worth looking for blocks. */
export function mayBeBlocked({ blocksOf }: Pick<Caller, "blocksOf">): boolean {
  return blocksOf.length > 0;
}

export function blockedError(): ApiError {
  return new ApiError("forbidden", "One of you blocks the other.");
}

/** Those of these accounts that are kept apart from that one. */
export async function blockedAmong(db: Db, one: number, others: readonly number[]): Promise<Set<number>> {
  const listed = JSON.stringify(others.map((id) => ({ id })));
  return new Set((await apart(db, { one, listed })).map(({ account }) => account));
}

const apart = prepared<{ one: number; listed: string }, { account: number }>((db, { one, listed }) =>
  sql<{ account: number }>`
    with listed as (select id from (${db.engine.jsonRows(listed, { id: "integer" })}) as given),
      ours (id) as (
        select id from users where id = ${one}
        union all select operator_id from users where id = ${one} and operator_id is not null
      ),
      theirs (account, id) as (
        select id, id from listed
        union all select u.id, u.operator_id from listed join users u on u.id = listed.id
          where u.operator_id is not null
      )
    select theirs.account from theirs cross join ours where ${between(sql`ours.id`, sql`theirs.id`)} = 1`.compile(
    db,
  ),
);

/**
 * Whether the account behind a creator is not kept apart from this one by a block between the two, or between this one
 * and the creator's operator: as a condition on rows, of which `creator` is a column. It is looked up row by row, so that
 * however many blocks there are, each row costs the same.
 */
export function notBlocked(account: RawBuilder<unknown>, creator: RawBuilder<unknown>): RawBuilder<SqlBool> {
  const user = sql`(select user_id from creators where id = ${creator})`;
  const operator = sql`(select u.operator_id from creators c join users u on u.id = c.user_id where c.id = ${creator})`;
  // Said so that a planner takes it to be true of nearly every row, as it is, and not of nearly none.
  return sql`nullif(coalesce(${between(account, user)}, ${between(account, operator)}, 0), 1) is not null`;
}

/**
 * 1 if a block is between these two, else null. As a value, and with each of them named: a planner would make a join of it,
 * and might go through all blocks of one who has very many.
 */
function between(one: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select 1 from blocks b where b.user_id = ${one} and b.other_id = ${other})`;
}

/**
 * Lets one write at a time change what is between these two, or between the people who answer for them: what is seen
 * of it then holds until the transaction ends.
 */
export async function lockPair(tx: Db, one: number, other: number): Promise<void> {
  if (!tx.engine.rowLocks) return;
  const people = await tx
    .selectFrom("users")
    .select((eb) => eb.fn.coalesce("operator_id", "id").as("id"))
    .where("id", "in", [one, other])
    .execute();
  const ids = people.map(({ id }) => id).toSorted((a, b) => a - b);
  await tx.engine.lock(tx, [`between ${ids.join(" and ")}`]);
}
