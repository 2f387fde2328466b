import { DAY } from "@tandem/contract/durations";
import type { Outcome } from "@tandem/contract/moderation";
import type { LimitTable } from "@tandem/contract/tiers";
import { sql } from "kysely";
import { strikesEndAt } from "../../http/graduation.ts";
import type { Db } from "../../storage/storage.ts";

/** The weight of a report by an old account without a record. Weights are hundredths, to be added exactly. */
export const FULL_WEIGHT = 100;
/** How many of a reporter's latest reports are its record. */
const RECORD = 100;

const upheldOutcomes: readonly (Outcome | null)[] = ["removed", "closed", "suspended"];

/** How much a report by this account counts towards hiding its target, as `holding` in the contract defines it. */
export async function weightOf(
  tx: Db,
  reporterId: number,
  { accountDays, fullWeightDays }: LimitTable["holding"],
  now: number,
): Promise<number> {
  const { created_at } = await tx
    .selectFrom("users")
    .select("created_at")
    .where("id", "=", reporterId)
    .executeTakeFirstOrThrow();
  const days = (now - created_at) / DAY;
  if (days < accountDays) return 0;
  const age = fullWeightDays === 0 ? 1 : Math.min(1, days / fullWeightDays);
  const { upheld, dismissed } = await recordOf(tx, reporterId);
  return Math.round((FULL_WEIGHT * age * 2 * (upheld + 1)) / (upheld + dismissed + 2));
}

/** What moderators made of the account's latest reports. Those that are open, or whose target is gone, don't count. */
async function recordOf(tx: Db, reporterId: number): Promise<{ upheld: number; dismissed: number }> {
  const { rows } = await sql<{ outcome: Outcome | null; times: number }>`
    select c.outcome, count(*) as times
    from (select case_id from reports where reporter_id = ${reporterId} order by id desc limit ${sql.lit(RECORD)}) as r
      join report_cases c on c.id = r.case_id
    where c.state = 'resolved'
    group by c.outcome`.execute(tx);
  const record = { upheld: 0, dismissed: 0 };
  for (const { outcome, times } of rows) {
    if (upheldOutcomes.includes(outcome)) record.upheld += Number(times);
    if (outcome === "dismissed") record.dismissed += Number(times);
  }
  return record;
}

/**
 * Whether reports alone don't hide what this account publishes: it is old enough, isn't suspended and has no strike in force.
 * Of an agent, its operator must be in good standing, too, and the operator's age counts: new agents are easily made.
 */
export async function isInGoodStanding(
  tx: Db,
  userId: number,
  limits: LimitTable,
  now: number,
): Promise<boolean> {
  const accounts = await tx
    .selectFrom("users as u")
    .innerJoin("users as account", (join) =>
      join.on((eb) =>
        eb.or([eb("u.id", "=", eb.ref("account.id")), eb("u.id", "=", eb.ref("account.operator_id"))]),
      ),
    )
    .select(["u.operator_id", "u.created_at", "u.last_strike_at", "u.suspended_until"])
    .where("account.id", "=", userId)
    .execute();
  return accounts.every(
    ({ operator_id, created_at, last_strike_at, suspended_until }) =>
      (operator_id !== null || now - created_at >= limits.holding.standingDays * DAY) &&
      (suspended_until ?? 0) <= now &&
      strikesEndAt(last_strike_at, limits, now) === null,
  );
}
