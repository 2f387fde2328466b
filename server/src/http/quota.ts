import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Operation } from "@tandem/contract/operation";
import { isWrite } from "@tandem/contract/operation";
import { type LimitTable, type Quota, quotas, type Tier } from "@tandem/contract/tiers";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import { preparedRows } from "../storage/prepared-rows.ts";
import type { Db } from "../storage/storage.ts";
import { ApiError, type QuotaState } from "./api-error.ts";
import type { Caller, Caps } from "./caller.ts";
import { inWords, windowInWords } from "./duration.ts";

/** A limit on uses within a time window, counted per holder. */
export interface Allowance {
  name: string;
  limit: number;
  seconds: number;
}

/** Whose count it is. An account's keys share one count; an agent's sessions share it too. */
export function holderOf({ key, isAgent, userId }: Pick<Caller, "key" | "isAgent" | "userId">): string {
  return key || isAgent ? keysHolder(userId) : personHolder(userId);
}

/** For what the keys of an account write, and an agent in its sessions. Without an id, what all such names begin with. */
export function keysHolder(userId: number | ""): string {
  return `keys:${userId}`;
}

/** For what a person writes in their own sessions. */
export function personHolder(userId: number | ""): string {
  return `user:${userId}`;
}

/** The allowances that this caller's call of this operation uses. Without a tier, they are those of a person's session. */
export function allowancesOf(
  op: Operation,
  tier: Tier | null,
  caps: Caps | undefined,
  table: LimitTable,
): Allowance[] {
  // No limit keeps anyone from ending their own access.
  if (!isWrite(op) || op.name === "logOut") return [];
  if (tier === null)
    return [{ name: "writes", limit: table.sessionWritesPerMinute, seconds: quotas.writes.seconds }];
  const names: Quota[] = op.quota ? [op.quota, "writes"] : ["writes"];
  return names.map((name) => allowance(name, tier, caps, table));
}

/** The tier's limit, or the key owner's lower cap. */
export function allowance(name: Quota, tier: Tier, caps: Caps | undefined, table: LimitTable): Allowance {
  const limit = Math.min(table.tiers[tier][name], caps?.[name] ?? Number.POSITIVE_INFINITY);
  return { name, limit, seconds: quotas[name].seconds };
}

/** One use of some allowances by a holder. */
export interface Charge {
  holder: string;
  allowances: Allowance[];
  /** Milliseconds since 1970. */
  now: number;
}

/**
 * Counts one use of each allowance in the current transaction. Throws `rate_limited` if one is used up; the transaction
 * then rolls back, so nothing is counted.
 */
export async function charge(
  tx: Db,
  holder: string,
  allowances: Allowance[],
  now: number,
): Promise<QuotaState[]> {
  const [states = []] = await chargeAll(tx, [{ holder, allowances, now }]);
  const problem = rateLimitError(states);
  if (problem) throw problem;
  return states;
}

/**
 * Counts one use of each allowance for every charge and returns their state afterwards; the remainder of a used-up allowance
 * is negative. Counting before checking makes concurrent transactions of one holder wait for each other instead of reading
 * the same count. Rows are locked in the order of holders, to avoid deadlocks.
 */
export async function chargeAll(tx: Db, charges: Charge[]): Promise<QuotaState[][]> {
  const uses = new Map<string, Uses>();
  for (const { holder, allowances, now } of charges)
    for (const { name: quota, seconds } of allowances) {
      const before = uses.get(`${holder} ${quota}`)?.uses ?? 0;
      uses.set(`${holder} ${quota}`, { holder, quota, now, ends: now + seconds * 1000, uses: before + 1 });
    }
  if (uses.size === 0) return charges.map(() => []);
  const ordered = [...uses.values()].toSorted(
    (a, b) => compare(a.holder, b.holder) || compare(a.quota, b.quota),
  );
  const counted = await countEach(tx, ordered, {});
  // The state before these uses, so that each use sees its own count.
  const windows = new Map(
    counted.map((window) => {
      const name = `${window.holder} ${window.quota}`;
      return [name, { ...window, used: window.used - (uses.get(name)?.uses ?? 0) }];
    }),
  );
  return charges.map(({ holder, allowances, now }) =>
    allowances.map((allowance) => {
      const window = windows.get(`${holder} ${allowance.name}`);
      if (window) window.used += 1;
      return stateOf(allowance, window, now);
    }),
  );
}

/** Uses of one quota by one holder. */
interface Uses {
  holder: string;
  quota: string;
  now: number;
  ends: number;
  uses: number;
}

/** Counts that a deleted agent left, in as many places as its operator can have agents: each new agent takes one. */
const leftHolders = (operatorId: number): string[] =>
  Array.from({ length: limits.agentsPerPerson }, (_, place) => `left:${operatorId}:${place}`);

/**
 * Keeps the counts of an agent that is deleted, for the next one of its operator: otherwise a person could have the daily limits
 * of many agents, one after the other. The operator must be locked.
 */
export async function leaveCounts(tx: Db, agentId: number, operatorId: number, now: number): Promise<void> {
  const holders = leftHolders(operatorId);
  const taken = await tx
    .selectFrom("quota_windows")
    .select("holder")
    .where("holder", "in", holders)
    .where("ends_at", ">", now)
    .execute();
  // There is a free one: deleted agents whose counts no one took over and those that exist are never more than agents can be.
  const free = holders.find((name) => !taken.some(({ holder }) => holder === name));
  if (free === undefined) return;
  await tx.deleteFrom("quota_windows").where("holder", "=", free).execute();
  await tx
    .updateTable("quota_windows")
    .set({ holder: free })
    .where("holder", "=", keysHolder(agentId))
    .execute();
}

/** Lets a new agent go on with the counts of a deleted one, that with most uses first. The operator must be locked. */
export async function takeOverCounts(
  tx: Db,
  agentId: number,
  operatorId: number,
  now: number,
): Promise<void> {
  const most = await tx
    .selectFrom("quota_windows")
    .select("holder")
    .where("holder", "in", leftHolders(operatorId))
    .where("ends_at", ">", now)
    .groupBy("holder")
    .orderBy((eb) => eb.fn.sum("used"), "desc")
    .limit(1)
    .executeTakeFirst();
  if (most)
    await tx
      .updateTable("quota_windows")
      .set({ holder: keysHolder(agentId) })
      .where("holder", "=", most.holder)
      .execute();
}

/** The position of an account's last write with any credential; 0 if there was none recently. */
export async function lastPosition(db: Db, userId: number): Promise<number> {
  const [row] = await latest(db, { person: personHolder(userId), keys: keysHolder(userId) });
  return row?.position ?? 0;
}

const latest = prepared<{ person: string; keys: string }, { position: number | null }>(
  (db, { person, keys }) =>
    sql<{ position: number | null }>`
      select max(position) as position from quota_windows where holder in (${person}, ${keys})
    `.compile(db),
);

/** Records the position of a write that charges no quota, such as signing up. */
export async function notePosition(tx: Db, userId: number, now: number): Promise<void> {
  await charge(
    tx,
    personHolder(userId),
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

/** The state of allowances, without charging them. */
export async function quotaStatus(
  db: Db,
  holder: string,
  allowances: Allowance[],
  now: number,
): Promise<QuotaState[]> {
  const rows = await windows(db, { holder, now, latest: now + ORDINARY_SKEW });
  return allowances.map((allowance) => {
    const state = stateOf(
      allowance,
      rows.find((row) => row.quota === allowance.name),
      now,
    );
    // Other keys of the account may have used more than this one may, and so may a key that was demoted.
    return { ...state, remaining: Math.max(0, state.remaining) };
  });
}

/** The `rate_limited` error, or null if no allowance is used up. */
export function rateLimitError(states: QuotaState[]): ApiError | null {
  const exceeded = states.filter((state) => state.remaining < 0).toSorted((a, b) => b.reset - a.reset);
  if (exceeded.length === 0) return null;
  const limits = exceeded.map(({ name, limit, seconds }) => `${limit} ${name} per ${windowInWords(seconds)}`);
  const retryAfter = exceeded[0]?.reset ?? 1;
  const quotas = states.map((state) => ({ ...state, remaining: Math.max(0, state.remaining) }));
  const message = `You have used your ${limits.join(" and your ")}; try again in ${inWords(retryAfter)}.`;
  return new ApiError("rate_limited", message, { retryAfter, quotas });
}

/** The quota with the fewest uses left; among equals, the one that resets last. */
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
 * Tolerance in milliseconds. Requests are counted slightly later than they arrived, in another order, and clocks differ.
 * Only a window that starts further in the future means that a clock was set back.
 */
export const ORDINARY_SKEW = MINUTE;

interface Window {
  used: number;
  ends_at: number;
}

interface WindowQuery {
  holder: string;
  now: number;
  latest: number;
}

const windows = prepared<WindowQuery, Window & { quota: string }>((db, { holder, now, latest }) =>
  db
    .selectFrom("quota_windows")
    .select(["quota", "used", "ends_at"])
    .where("holder", "=", holder)
    .where("ends_at", ">", now)
    .where("started_at", "<=", latest)
    .compile(),
);

const columnsOfUses = {
  holder: "text",
  quota: "text",
  now: "integer",
  ends: "integer",
  uses: "integer",
} as const;

/** Adds uses to the current windows, or starts new ones. */
const countEach = preparedRows<Uses, object, Window & { holder: string; quota: string }>(
  columnsOfUses,
  (db, uses) => {
    const ended = sql`(w.ends_at <= excluded.started_at or w.started_at > excluded.started_at + ${sql.lit(ORDINARY_SKEW)})`;
    const updated = (column: string) =>
      sql`case when ${ended} then ${sql.ref(`excluded.${column}`)} else ${sql.ref(`w.${column}`)} end`;
    return sql<Window & { holder: string; quota: string }>`
    insert into quota_windows as w (holder, quota, started_at, ends_at, used, position)
    select holder, quota, now, ends, uses, ${db.engine.position} from (${uses}) as uses where true
    on conflict (holder, quota) do update set
      used = case when ${ended} then excluded.used else w.used + excluded.used end,
      started_at = ${updated("started_at")},
      ends_at = ${updated("ends_at")},
      position = excluded.position
    returning holder, quota, used, ends_at
  `.compile(db);
  },
);
