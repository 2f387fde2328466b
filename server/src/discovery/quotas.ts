import type { Operation } from "@tandem/contract/operation";
import { defaultLimits, firstTier } from "@tandem/contract/tiers";
import { type Allowance, allowancesOf } from "../http/quota.ts";

/** The quotas that a new key's call counts against, from the code that enforces them. */
export function allowancesOfNewKey(op: Operation, limits = defaultLimits): Allowance[] {
  return allowancesOf(op, firstTier, undefined, limits);
}
