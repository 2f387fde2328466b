import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { CallResponse } from "@tandem/testing/callers";

/** Results of many calls of one kind. */
export interface CallStats {
  served: number;
  /** Seconds between two successful responses. */
  longestGap: number;
  /** Seconds that the slowest response took, successful or not. */
  slowest: number;
  /** Number of responses, by status, that neither a failover nor a rate limit explains; status 0 means no response. */
  faults: Map<number, number>;
  recordSuccess(): void;
}

export function newCallStats(): CallStats {
  let last = performance.now();
  return {
    served: 0,
    longestGap: 0,
    slowest: 0,
    faults: new Map(),
    recordSuccess() {
      const now = performance.now();
      this.longestGap = Math.max(this.longestGap, (now - last) / 1000);
      this.served += 1;
      last = now;
    },
  };
}

/** Milliseconds before a retry. */
const PAUSE = 100;
const LONGEST = 120_000;

/**
 * Retries a call until it gets a final response. Returns null if a call that isn't repeatable got none, so that its outcome
 * is unknown. Throws after `longest` milliseconds without a final response.
 */
export async function sendUntilResponse(
  stats: CallStats,
  send: () => Promise<CallResponse>,
  { repeatable = true, longest = LONGEST } = {},
): Promise<CallResponse | null> {
  const until = performance.now() + longest;
  while (performance.now() < until) {
    const began = performance.now();
    const response = await send().catch(() => null);
    stats.slowest = Math.max(stats.slowest, (performance.now() - began) / 1000);
    if (response?.status === 200) stats.recordSuccess();
    const passing = response?.body.code === "overloaded" || response?.body.code === "idempotency_in_progress";
    if (response && !passing) {
      if (response.status !== 200 && response.status !== 429) note(stats, response.status);
      return response;
    }
    if (!response) note(stats, 0);
    if (!repeatable) return null;
    await pause(PAUSE);
  }
  throw new Error(`a call got no final response in ${longest / 1000} s`);
}

function note({ faults }: CallStats, status: number): void {
  faults.set(status, (faults.get(status) ?? 0) + 1);
}
