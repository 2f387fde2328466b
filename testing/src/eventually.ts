import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds after which nobody should wait any longer, however slow the machine. */
const PATIENCE = 40_000;

/** Checks until nothing is thrown any more, and gives back what came of it; throws what was thrown last, in the end. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  for (const end = performance.now() + PATIENCE; ; await pause(10)) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > end) throw error;
    }
  }
}
