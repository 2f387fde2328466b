import { performance } from "node:perf_hooks";
import { setTimeout as pause } from "node:timers/promises";
import type { RawAnswer } from "@tandem/testing/callers";

/** What became of many calls of one kind: how often they were served, and how long nobody was. */
export interface Pulse {
  served: number;
  /** Seconds between two answers that were a success. */
  longestGap: number;
  /** Seconds that the slowest answer took, whatever it was. */
  slowest: number;
  /** Answers that neither a failover nor a limit explains, by status; 0 where there was none at all. */
  faults: Map<number, number>;
  beat(): void;
}

export function newPulse(): Pulse {
  let last = performance.now();
  return {
    served: 0,
    longestGap: 0,
    slowest: 0,
    faults: new Map(),
    beat() {
      const now = performance.now();
      this.longestGap = Math.max(this.longestGap, (now - last) / 1000);
      this.served += 1;
      last = now;
    },
  };
}

/** Milliseconds before what was refused is tried again. */
const PAUSE = 100;
const LONGEST = 120_000;

/**
 * Sends until it is answered for good. Null where the end isn't known: what can't be sent twice is sent once. Throws
 * where no answer comes for minutes.
 */
export async function insist(
  pulse: Pulse,
  send: () => Promise<RawAnswer>,
  repeatable = true,
): Promise<RawAnswer | null> {
  const until = performance.now() + LONGEST;
  while (performance.now() < until) {
    const began = performance.now();
    const answer = await send().catch(() => null);
    pulse.slowest = Math.max(pulse.slowest, (performance.now() - began) / 1000);
    if (answer?.status === 200) pulse.beat();
    const passing = answer?.body.code === "overloaded" || answer?.body.code === "idempotency_in_progress";
    if (answer && !passing) {
      if (answer.status !== 200 && answer.status !== 429) note(pulse, answer.status);
      return answer;
    }
    if (!answer) note(pulse, 0);
    if (!repeatable) return null;
    await pause(PAUSE);
  }
  throw new Error("a call was never answered for good");
}

function note({ faults }: Pulse, status: number): void {
  faults.set(status, (faults.get(status) ?? 0) + 1);
}
