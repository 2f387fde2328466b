import { setTimeout as pause } from "node:timers/promises";

/** Timeout in milliseconds, generous enough for slow machines. */
const PATIENCE = 40_000;

/** Retries a check until it doesn't throw, and returns its result. After the timeout, throws its last error. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (const end = performance.now() + PATIENCE; ; await pause(10)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
