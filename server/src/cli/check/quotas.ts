import { isApprovable } from "@tandem/contract/approval";
import { operationList } from "@tandem/contract/operations";
import { type LimitTable, type Quota, quotaNames, quotas, tierNames } from "@tandem/contract/tiers";
import { sql } from "kysely";
import { keysHolder, ORDINARY_SKEW, personHolder } from "../../http/quota.ts";
import type { Db } from "../../storage/storage.ts";
import { isIn, type Keys, type Rule } from "./rule.ts";

/**
 * An open window of an account counts at least the writes of its keys that the activity log has, and no more uses than a limit
 * allows. How many exactly doesn't follow: the log forgets, and what was written can be deleted since.
 */
export function quotaRule(limits: LimitTable): Rule {
  return {
    what: "quotas count what was written",
    table: "users",
    key: "id",
    async find(db, keys) {
      const windows = await readWindows(db, keys);
      return windows.flatMap((window) =>
        faultsOf(window, limits).map((detail) => ({ key: window.id, detail })),
      );
    },
    async repair(tx, keys) {
      // A write that counts has its window locked; after that, the log has it, too.
      if (tx.engine.rowLocks) await lockWindows(tx, keys);
      for (const window of await readWindows(tx, keys)) {
        if (faultsOf(window, limits).length === 0) continue;
        await tx
          .updateTable("quota_windows")
          .set({ used: rightUses(window, limits), ends_at: endOf(window) })
          .where("holder", "=", window.holder)
          .where("quota", "=", window.quota)
          .execute();
      }
    },
  };
}

interface Window {
  /** The account. */
  id: number;
  holder: string;
  quota: Quota;
  started_at: number;
  ends_at: number;
  used: number;
  /** Uses that the activity log has. */
  logged: number;
}

function faultsOf(window: Window, limits: LimitTable): string[] {
  const { holder, quota, used, started_at, ends_at } = window;
  const [right, end] = [rightUses(window, limits), endOf(window)];
  const name = `the quota ${quota} of ${holder}`;
  return [
    ...(used < right ? [`${name} is used ${used} times instead of at least ${right}`] : []),
    ...(used > right ? [`${name} is used ${used} times instead of at most ${right}`] : []),
    ...(ends_at === end
      ? []
      : [`${name} lasts ${(ends_at - started_at) / 1000} s instead of ${quotas[quota].seconds} s`]),
  ];
}

function rightUses({ holder, quota, used, logged }: Window, limits: LimitTable): number {
  const most = holder.startsWith(keysHolder(""))
    ? Math.max(...tierNames.map((tier) => limits.tiers[tier][quota]))
    : limits.sessionWritesPerMinute;
  return Math.min(Math.max(used, logged), most);
}

const endOf = ({ quota, started_at }: Window) => started_at + quotas[quota].seconds * 1000;

/** Of account `u`. */
const holders = sql`(${sql.lit(keysHolder(""))} || u.id, ${sql.lit(personHolder(""))} || u.id)`;

async function lockWindows(tx: Db, keys: Keys): Promise<void> {
  await sql`
    select 1 from quota_windows where (holder, quota) in (
      select w.holder, w.quota from users u join quota_windows w on w.holder in ${holders} where ${isIn(tx, sql`u.id`, keys)}
    ) order by holder ${tx.engine.binaryCollation}, quota ${tx.engine.binaryCollation} for no key update`.execute(
    tx,
  );
}

async function readWindows(db: Db, keys: Keys): Promise<Window[]> {
  const { rows } = await sql<Window>`
    select u.id, w.holder, w.quota, w.started_at, w.ends_at, w.used, case
      when w.holder = ${sql.lit(keysHolder(""))} || u.id then (
        select count(*) from activity a
        where a.user_id = u.id and a.created_at >= w.started_at + ${sql.lit(ORDINARY_SKEW)} and a.created_at < w.ends_at
          and (${sql.join(quotaNames.map(isLogged), sql` or `)})
      ) else 0 end as logged
    from users u join quota_windows w on w.holder in ${holders}
    where ${isIn(db, sql`u.id`, keys)} and w.ends_at > ${Date.now()} and w.used >= 0
      and w.quota in (${sql.join(quotaNames.map((name) => sql.lit(name)))})`.execute(db);
  return rows;
}

/**
 * Whether an entry of the log is a use of a quota. Not one of an operation that can wait for approval: what a person approved is
 * in the log as well, but counts for the person.
 */
function isLogged(quota: Quota) {
  const counted = operationList.filter((op) => op.quota === quota && !isApprovable(op.name));
  if (counted.length === 0) return sql`1 = 0`;
  const names = sql.join(counted.map(({ name }) => sql.lit(name)));
  return sql`(w.quota = ${sql.lit(quota)} and a.operation in (${names}))`;
}
