import type { Operation } from "@tandem/contract/operation";
import { isWrite } from "@tandem/contract/operation";
import { firstTier, type LimitTable, type Quota, quotas, type tierNames } from "@tandem/contract/tiers";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";
import { Problem, type QuotaState } from "./problem.ts";

/** A number that may be reached within a window, counted for one holder. */
export interface Allowance {
  name: string;
  limit: number;
  seconds: number;
}

/** Whose count it is: limits belong to a key, or else to the account of the session. */
export function holderOf(caller: Caller): string {
  return caller.key ? `key:${caller.key.id}` : `user:${caller.userId}`;
}

/** What this caller's call of this operation draws on (spec: Limits). */
export function allowancesOf(op: Operation, caller: Caller, table: LimitTable): Allowance[] {
  if (!isWrite(op)) return [];
  if (!caller.key)
    return [{ name: "writes", limit: table.sessionWritesPerMinute, seconds: quotas.writes.seconds }];
  const names: Quota[] = op.quota ? [op.quota, "writes"] : ["writes"];
  return names.map((name) => allowance(name, caller.key?.tier ?? firstTier, table));
}

export function allowance(name: Quota, tier: (typeof tierNames)[number], table: LimitTable): Allowance {
  return { name, limit: table.tiers[tier][name], seconds: quotas[name].seconds };
}

/**
 * Counts one use of each allowance, in the transaction of what is being allowed. Throws `rate_limited` where
 * one was used up, upon which the transaction rolls back and nothing was counted. Counting comes before judging,
 * so that transactions of one holder wait for each other's count instead of all reading the same one.
 */
export async function charge(
  tx: Db,
  holder: string,
  allowances: Allowance[],
  now: number,
): Promise<QuotaState[]> {
  const states: QuotaState[] = [];
  for (const one of allowances) states.push(await count(tx, holder, one, now));
  if (states.some((state) => state.remaining < 0)) throw usedUp(states);
  return states;
}

async function count(tx: Db, holder: string, allowance: Allowance, now: number): Promise<QuotaState> {
  const ends = now + allowance.seconds * 1000;
  const [window] = await countOne(tx, {
    holder,
    quota: allowance.name,
    now,
    latest: now + ORDINARY_SKEW,
    ends,
  });
  return stateOf(allowance, window, now);
}

function stateOf({ name, limit, seconds }: Allowance, window: Window | undefined, now: number): QuotaState {
  const reset = window ? Math.min(seconds, Math.ceil((window.ends_at - now) / 1000)) : seconds;
  return { name, limit, seconds, reset, remaining: limit - (window?.used ?? 0) };
}

/** How the allowances stand, without counting anything. */
export async function standing(
  db: Db,
  holder: string,
  allowances: Allowance[],
  now: number,
): Promise<QuotaState[]> {
  const rows = await windows(db, { holder, now, latest: now + ORDINARY_SKEW });
  return allowances.map((one) => {
    const state = stateOf(
      one,
      rows.find((row) => row.quota === one.name),
      now,
    );
    // A key that fell to a lower tier may have used more than it now has.
    return { ...state, remaining: Math.max(0, state.remaining) };
  });
}

/** The error that says to wait until every spent allowance is whole again. */
function usedUp(states: QuotaState[]): Problem {
  const spent = states.filter((state) => state.remaining < 0).toSorted((a, b) => b.reset - a.reset);
  const told = spent.map(({ name, limit, seconds }) => `${limit} ${name} in ${seconds} seconds`);
  const retryAfter = spent[0]?.reset ?? 1;
  const quotas = states.map((state) => ({ ...state, remaining: Math.max(0, state.remaining) }));
  const message = `The limit of ${told.join(" and ")} is used up; try again in ${retryAfter} seconds.`;
  return new Problem("rate_limited", message, { retryAfter, quotas });
}

/** The fewest left; of equals, the one that takes longest to come back. */
export function tightest(states: QuotaState[]): QuotaState | undefined {
  return states.toSorted((a, b) => a.remaining - b.remaining || b.reset - a.reset)[0];
}

/**
 * `RateLimit-Limit`, `-Remaining` and `-Reset` of the tightest quota, and the fields of
 * draft-ietf-httpapi-ratelimit-headers for all of them.
 */
export function rateLimitHeaders(states: QuotaState[]): Record<string, string> {
  const tight = tightest(states);
  if (!tight) return {};
  return {
    "ratelimit-limit": String(tight.limit),
    "ratelimit-remaining": String(tight.remaining),
    "ratelimit-reset": String(tight.reset),
    "ratelimit-policy": states
      .map(({ name, limit, seconds }) => `"${name}";q=${limit};w=${seconds}`)
      .join(", "),
    ratelimit: states.map(({ name, remaining, reset }) => `"${name}";r=${remaining};t=${reset}`).join(", "),
  };
}

/**
 * Requests tell the time they came at, and are counted a little later and in another order; clocks of several machines
 * differ a little too. Only a window that began further ahead than this, in milliseconds, is left from before a clock
 * was set back.
 */
const ORDINARY_SKEW = 60_000;

interface Window {
  used: number;
  ends_at: number;
}

interface Standing {
  holder: string;
  now: number;
  latest: number;
}

const windows = prepared<Standing, Window & { quota: string }>((db, { holder, now, latest }) =>
  db
    .selectFrom("quota_windows")
    .select(["quota", "used", "ends_at"])
    .where("holder", "=", holder)
    .where("ends_at", ">", now)
    .where("started_at", "<=", latest)
    .compile(),
);

interface Counted {
  holder: string;
  quota: string;
  now: number;
  latest: number;
  ends: number;
}

/** One more in the running window; where the last has ended, the first of a new one. */
const countOne = prepared<Counted, Window>((db, { holder, quota, now, latest, ends }) =>
  db
    .insertInto("quota_windows")
    .values({ holder, quota, started_at: now, ends_at: ends, used: 1 })
    .onConflict((conflict) =>
      conflict.columns(["holder", "quota"]).doUpdateSet((eb) => {
        const ended = eb.or([
          eb("quota_windows.ends_at", "<=", now),
          eb("quota_windows.started_at", ">", latest),
        ]);
        return {
          used: eb
            .case()
            .when(ended)
            .then(1)
            .else(eb("quota_windows.used", "+", 1))
            .end(),
          started_at: eb.case().when(ended).then(now).else(eb.ref("quota_windows.started_at")).end(),
          ends_at: eb.case().when(ended).then(ends).else(eb.ref("quota_windows.ends_at")).end(),
        };
      }),
    )
    .returning(["used", "ends_at"])
    .compile(),
);
