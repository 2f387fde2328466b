import { type RawBuilder, sql } from "kysely";

/**
 * 1 if there is a block between these two accounts, else null. A scalar subquery per pair, because a planner would turn
 * `exists` or `in` into a join, and might scan all blocks of an account that has very many.
 */
export function blockBetween(account: RawBuilder<unknown>, other: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(select 1 from blocks b where b.user_id = ${account} and b.other_id = ${other})`;
}
