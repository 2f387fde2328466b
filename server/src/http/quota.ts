import type { Operation } from "@tandem/contract/operation";
import { isWrite } from "@tandem/contract/operation";
import { type LimitTable, type Quota, quotas, type tierNames } from "@tandem/contract/tiers";
import { type RawBuilder, sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller, Caps } from "./caller.ts";
import { Problem, type QuotaState } from "./problem.ts";

/** A number that may be reached within a window, counted for one holder. */
export interface Allowance {
  name: string;
  limit: number;
  seconds: number;
}

/** Whose count it is: limits belong to a key, or else to the account of the session. */
export function holderOf(caller: Caller): string {
  return caller.key ? keyHolder(caller.key.id) : accountHolder(caller.userId);
}

export function keyHolder(keyId: number): string {
  return `key:${keyId}`;
}

function accountHolder(userId: number): string {
  return `user:${userId}`;
}

/** The account's own, and those of its keys and of all that act as it: a query of one column. */
export function holdersOf(userId: number): RawBuilder<unknown> {
  return sql`select cast(${accountHolder(userId)} as text) as holder
    union all select concat('key:', id) from keys where owner_id = ${userId} or user_id = ${userId}`;
}

/** What this caller's call of this operation draws on (spec: Limits). */
export function allowancesOf(op: Operation, caller: Caller, table: LimitTable): Allowance[] {
  if (!isWrite(op)) return [];
  if (!caller.key)
    return [{ name: "writes", limit: table.sessionWritesPerMinute, seconds: quotas.writes.seconds }];
  const names: Quota[] = op.quota ? [op.quota, "writes"] : ["writes"];
  const { tier, caps } = caller.key;
  return names.map((name) => allowance(name, tier, caps, table));
}

/** What a tier allows, or less where the key's owner has said so. */
export function allowance(
  name: Quota,
  tier: (typeof tierNames)[number],
  caps: Caps,
  table: LimitTable,
): Allowance {
  const limit = Math.min(table.tiers[tier][name], caps[name] ?? Number.POSITIVE_INFINITY);
  return { name, limit, seconds: quotas[name].seconds };
}

/** A use of some allowances by their holder, at an instant. */
export interface Draw {
  holder: string;
  allowances: Allowance[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Counts one use of each allowance, in the transaction of what is being allowed. Throws `rate_limited` where
 * one was used up, upon which the transaction rolls back and nothing was counted.
 */
export async function charge(
  tx: Db,
  holder: string,
  allowances: Allowance[],
  now: number,
): Promise<QuotaState[]> {
  const [states = []] = await chargeAll(tx, [{ holder, allowances, now }]);
  const problem = usedUp(states);
  if (problem) throw problem;
  return states;
}

/**
 * Counts one use of each allowance for every draw, and tells how each stood after it; of one that was used up, less
 * than nothing is left. Counting comes before judging, so that transactions of one holder wait for each other's count
 * instead of all reading the same one; and goes by the holders' order, so that none wait in a ring.
 */
export async function chargeAll(tx: Db, draws: Draw[]): Promise<QuotaState[][]> {
  const uses = new Map<string, Uses>();
  for (const { holder, allowances, now } of draws)
    for (const { name: quota, seconds } of allowances) {
      const before = uses.get(`${holder} ${quota}`)?.uses ?? 0;
      uses.set(`${holder} ${quota}`, { holder, quota, now, ends: now + seconds * 1000, uses: before + 1 });
    }
  if (uses.size === 0) return draws.map(() => []);
  const ordered = [...uses.values()].toSorted(
    (a, b) => compare(a.holder, b.holder) || compare(a.quota, b.quota),
  );
  const counted = await countEach(tx, { uses: JSON.stringify(ordered) });
  // As each window stood before any of these, so that each use finds its own count.
  const windows = new Map(
    counted.map((window) => {
      const name = `${window.holder} ${window.quota}`;
      return [name, { ...window, used: window.used - (uses.get(name)?.uses ?? 0) }];
    }),
  );
  return draws.map(({ holder, allowances, now }) =>
    allowances.map((one) => {
      const window = windows.get(`${holder} ${one.name}`);
      if (window) window.used += 1;
      return stateOf(one, window, now);
    }),
  );
}

/** How often a holder's quota is drawn on at once. */
interface Uses {
  holder: string;
  quota: string;
  now: number;
  ends: number;
  uses: number;
}

/** Where the last write of an account stands among all, by whatever credential; 0 if there was none of late. */
export async function lastPosition(db: Db, userId: number): Promise<number> {
  const [row] = await latest(db, { userId, account: accountHolder(userId) });
  return row?.position ?? 0;
}

const latest = prepared<{ userId: number; account: string }, { position: number | null }>(
  (db, { userId, account }) =>
    sql<{ position: number | null }>`
      select max(position) as position from quota_windows
      where holder = ${account} or holder in (select concat('key:', id) from keys where user_id = ${userId})
    `.compile(db),
);

/** Notes where a write of an account stands that draws on none of its quotas, such as the one that made it. */
export async function notePosition(tx: Db, userId: number, now: number): Promise<void> {
  await charge(
    tx,
    accountHolder(userId),
    [{ name: "sessions", limit: Number.MAX_SAFE_INTEGER, seconds: 60 }],
    now,
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
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

/** The error that says to wait until every spent allowance is whole again; null where none is spent. */
export function usedUp(states: QuotaState[]): Problem | null {
  const spent = states.filter((state) => state.remaining < 0).toSorted((a, b) => b.reset - a.reset);
  if (spent.length === 0) return null;
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

/** So many more in each running window; where the last has ended, the first of a new one. */
const countEach = prepared<{ uses: string }, Window & { holder: string; quota: string }>((db, { uses }) => {
  const columns = {
    holder: "text",
    quota: "text",
    now: "integer",
    ends: "integer",
    uses: "integer",
  } as const;
  const ended = sql`(w.ends_at <= excluded.started_at or w.started_at > excluded.started_at + ${sql.lit(ORDINARY_SKEW)})`;
  const kept = (column: string) =>
    sql`case when ${ended} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`w.${column}`)} end`;
  return sql<Window & { holder: string; quota: string }>`
    insert into quota_windows as w (holder, quota, started_at, ends_at, used, position)
    select holder, quota, now, ends, uses, ${db.engine.position} from (${db.engine.rows(uses, columns)}) as uses where true
    on conflict (holder, quota) do update set
      used = case when ${ended} then excluded.used else w.used + excluded.used end,
      started_at = ${kept("started_at")},
      ends_at = ${kept("ends_at")},
      position = excluded.position
    returning holder, quota, used, ends_at
  `.compile(db);
});
