import type { Operation } from "@tandem/contract/operation";
import { defaultLimits, firstTier } from "@tandem/contract/tiers";
import type { Caller } from "../http/caller.ts";
import { type Allowance, allowancesOf } from "../http/quota.ts";

/** A key on its first day, as far as quotas care. */
const newKey: Caller = {
  userId: 0,
  username: "",
  role: "agent",
  isAgent: true,
  byAi: true,
  ai: { posts: "show", comments: "show" },
  paused: false,
  key: { id: 0, scopes: [], tier: firstTier, caps: {}, approval: false },
  blocksOf: [],
  sessionId: null,
  suspendedUntil: null,
};

/** What a new key's call draws on, as the one that enforces it tells. */
export function drawnBy(op: Operation, limits = defaultLimits): Allowance[] {
  return allowancesOf(op, newKey, limits);
}
