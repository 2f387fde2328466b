import type { Operation } from "@tandem/contract/operation";
import { defaultLimits, firstTier } from "@tandem/contract/tiers";
import type { Caller } from "../http/caller.ts";
import { type Allowance, allowancesOf } from "../http/quota.ts";

/** A new key, as far as quotas are concerned. */
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

/** The quotas that a new key's call counts against, from the code that enforces them. */
export function allowancesOfNewKey(op: Operation, limits = defaultLimits): Allowance[] {
  return allowancesOf(op, newKey, limits);
}
