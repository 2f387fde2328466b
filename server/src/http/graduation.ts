import { DAY } from "@tandem/contract/durations";
import {
  firstTier,
  type GraduatedTier,
  graduation,
  type LimitTable,
  type Tier,
  tierNames,
} from "@tandem/contract/tiers";
import { sql } from "kysely";
import { idRows, idsJson } from "../storage/id-rows.ts";
import { prepared } from "../storage/prepared.ts";
import { preparedRows } from "../storage/prepared-rows.ts";
import type { Db } from "../storage/storage.ts";
import type { Caller } from "./caller.ts";

/** What a key's tier depends on. */
export interface KeyProgress {
  /** The tier it begins from: the first one, or what an admin set. */
  tier: Tier;
  /** 1 if an admin lowered it. */
  tier_held: number;
  /** When an admin set it, which overrides earlier strikes. */
  tier_set_at: number | null;
  accepted_writes: number;
  created_at: number;
  /** When its account got the latest strike that wasn't withdrawn. */
  last_strike_at: number | null;
}

/**
 * The key's tier now. It is computed whenever it is needed, not stored, so a write always gets the one that was true
 * before it.
 */
export function tierOf(key: KeyProgress, table: LimitTable, now: number): Tier {
  if (strikesEndAt(key.last_strike_at, table, now) !== null)
    return (key.tier_set_at ?? 0) >= (key.last_strike_at ?? 0) ? key.tier : firstTier;
  let { tier } = key;
  for (;;) {
    const next = stepAbove(tier, key, table, now);
    if (!next || next.days > 0 || next.writes > 0) return tier;
    tier = next.tier;
  }
}

/** The next tier and what the key still needs to reach it; null at the top tier or if an admin lowered it. */
export function nextTierOf(key: KeyProgress, strikes: number, table: LimitTable, now: number) {
  const next = stepAbove(tierOf(key, table, now), key, table, now);
  return next && { ...next, strikes };
}

function stepAbove(below: Tier, key: KeyProgress, table: LimitTable, now: number) {
  const tier = tierNames[tierNames.indexOf(below) + 1];
  if (!tier || !isGraduated(tier) || key.tier_held === 1) return null;
  const needs = table.graduation[tier];
  return {
    tier,
    days: Math.max(0, Math.ceil(needs.days - (now - key.created_at) / DAY)),
    writes: Math.max(0, needs.writes - key.accepted_writes),
  };
}

function isGraduated(tier: Tier): tier is GraduatedTier {
  return Object.hasOwn(graduation, tier);
}

/** When the account's strikes will all have expired; null if none holds now. */
export function strikesEndAt(lastStrikeAt: number | null, table: LimitTable, now: number): number | null {
  if (lastStrikeAt === null) return null;
  const end = lastStrikeAt + table.strikes.days * DAY;
  return end > now ? end : null;
}

/** The columns of {@link KeyProgress}; expects keys as `k`, and their accounts as `u`. */
export const progressColumns = [
  "k.tier",
  "k.tier_held",
  "k.tier_set_at",
  "k.accepted_writes",
  "k.created_at",
  "u.last_strike_at",
] as const;

/**
 * The tier whose limits apply to a caller: its key's or, for an agent's session, that of the agent's best key. Null for a
 * person's session, which has a limit of its own.
 */
export async function callerTier(
  db: Db,
  { key, isAgent, userId }: Caller,
  table: LimitTable,
  now: number,
): Promise<Tier | null> {
  if (!key) return isAgent ? ((await agentTiers(db, [userId], table, now)).get(userId) ?? firstTier) : null;
  const progress = await db
    .selectFrom("keys as k")
    .innerJoin("users as u", "u.id", "k.user_id")
    .select(progressColumns)
    .where("k.id", "=", key.id)
    .executeTakeFirst();
  return progress ? tierOf(progress, table, now) : firstTier;
}

/** The tier of each agent's best key. Agents without a key are left out. */
export async function agentTiers(
  db: Db,
  agentIds: number[],
  table: LimitTable,
  now: number,
): Promise<Map<number, Tier>> {
  const keys = agentIds.length === 0 ? [] : await keysOfAgents(db, { ids: idsJson(agentIds), now });
  const best = new Map<number, Tier>();
  for (const { user_id, ...key } of keys) {
    const tiers = [best.get(user_id) ?? firstTier, tierOf(key, table, now)];
    best.set(user_id, tierNames.findLast((tier) => tiers.includes(tier)) ?? firstTier);
  }
  return best;
}

const keysOfAgents = prepared<{ ids: string; now: number }, KeyProgress & { user_id: number }>(
  (db, { ids, now }) =>
    db
      .selectFrom("keys as k")
      .innerJoin("users as u", "u.id", "k.user_id")
      .select(["k.user_id", ...progressColumns])
      .where(sql<boolean>`k.user_id in (${idRows(db, ids)})`)
      .where((eb) => eb.or([eb("k.expires_at", "is", null), eb("k.expires_at", ">", now)]))
      .compile(),
);

/** Counts an accepted write for each key; ids may repeat. */
export async function countAccepted(tx: Db, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  const writes = new Map<number, number>();
  for (const id of ids) writes.set(id, (writes.get(id) ?? 0) + 1);
  const more = [...writes].map(([id, writes]) => ({ id, writes }));
  await accept(tx.later, more, {});
}

const accept = preparedRows<{ id: number; writes: number }, object, never>(
  { id: "integer", writes: "integer" },
  (db, more) =>
    sql<never>`
    update keys set accepted_writes = accepted_writes + more.writes
    from (${more}) as more where keys.id = more.id
  `.compile(db),
);
