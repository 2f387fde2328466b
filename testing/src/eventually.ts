import { setTimeout as pause } from "node:timers/promises";

/** Timeout in milliseconds, generous enough for slow machines. */
const PATIENCE = 40_000;

/** Retries a check until it doesn't throw, and returns its result. After the timeout, throws its last error. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const waits = pauses();
  for (const end = performance.now() + PATIENCE; ; await pause(waits.next().value)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}

/** Milliseconds between attempts: few at first, because most waits are short, then more, because each attempt takes processor time. */
export function* pauses(): Generator<number, never> {
  for (let wait = 10; ; wait = Math.min(50, wait * 1.1)) yield wait;
}
