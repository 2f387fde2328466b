import {
  type GraduatedTier,
  graduation,
  type LimitTable,
  type Tier,
  tierNames,
} from "@tandem/contract/tiers";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";

const DAY = 86_400_000;

export interface Standing {
  tier: Tier;
  strikes: number;
  accepted_writes: number;
  created_at: number;
}

/** The tier above, and what the key still lacks for it; null at the top. */
export function wayUp(key: Standing, table: LimitTable, now: number) {
  const tier = tierNames[tierNames.indexOf(key.tier) + 1];
  if (!tier || !isGraduated(tier)) return null;
  const needs = table.graduation[tier];
  return {
    tier,
    days: Math.max(0, Math.ceil(needs.days - (now - key.created_at) / DAY)),
    writes: Math.max(0, needs.writes - key.accepted_writes),
    strikes: key.strikes,
  };
}

/** Counts an accepted write of a key, and raises its tier when it has earned that. */
export async function countAccepted(tx: Db, keyId: number, table: LimitTable, now: number): Promise<void> {
  const [key] = await acceptOne(tx, { keyId });
  if (!key) return;
  const next = wayUp(key, table, now);
  if (!next || next.days > 0 || next.writes > 0 || next.strikes > 0) return;
  await tx.updateTable("keys").set({ tier: next.tier }).where("id", "=", keyId).execute();
}

const acceptOne = prepared<{ keyId: number }, Standing>((db, { keyId }) =>
  db
    .updateTable("keys")
    .set((eb) => ({ accepted_writes: eb("accepted_writes", "+", 1) }))
    .where("id", "=", keyId)
    .returning(["tier", "strikes", "accepted_writes", "created_at"])
    .compile(),
);

function isGraduated(tier: Tier): tier is GraduatedTier {
  return Object.hasOwn(graduation, tier);
}
