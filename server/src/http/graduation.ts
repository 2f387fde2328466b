import { DAY } from "@tandem/contract/durations";
import {
  type GraduatedTier,
  graduation,
  type LimitTable,
  type Tier,
  tierNames,
} from "@tandem/contract/tiers";
import { sql } from "kysely";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";

export interface KeyProgress {
  tier: Tier;
  strikes: number;
  accepted_writes: number;
  created_at: number;
  /** 1 if an admin lowered it. */
  tier_held: number;
}

/** The next tier and what the key still needs to reach it; null at the top tier or if an admin lowered it. */
export function nextTierOf(key: KeyProgress, table: LimitTable, now: number) {
  const tier = tierNames[tierNames.indexOf(key.tier) + 1];
  if (!tier || !isGraduated(tier) || key.tier_held === 1) return null;
  const needs = table.graduation[tier];
  return {
    tier,
    days: Math.max(0, Math.ceil(needs.days - (now - key.created_at) / DAY)),
    writes: Math.max(0, needs.writes - key.accepted_writes),
    strikes: key.strikes,
  };
}

/** Counts an accepted write for each key (repeats allowed), and promotes keys that qualify for the next tier. */
export async function countAccepted(tx: Db, ids: number[], table: LimitTable, now: number): Promise<void> {
  if (ids.length === 0) return;
  const writes = new Map<number, number>();
  for (const id of ids) writes.set(id, (writes.get(id) ?? 0) + 1);
  const keys = JSON.stringify([...writes].map(([id, writes]) => ({ id, writes })));
  for (const { id, ...key } of await accept(tx, { keys })) {
    const next = nextTierOf(key, table, now);
    if (!next || next.days > 0 || next.writes > 0 || next.strikes > 0) continue;
    await tx.updateTable("keys").set({ tier: next.tier }).where("id", "=", id).execute();
  }
}

const accept = prepared<{ keys: string }, KeyProgress & { id: number }>((db, { keys }) =>
  sql<KeyProgress & { id: number }>`
    update keys set accepted_writes = accepted_writes + more.writes
    from (${db.engine.jsonRows(keys, { id: "integer", writes: "integer" })}) as more where keys.id = more.id
    returning keys.id, tier, strikes, accepted_writes, created_at, tier_held
  `.compile(db),
);

function isGraduated(tier: Tier): tier is GraduatedTier {
  return Object.hasOwn(graduation, tier);
}
