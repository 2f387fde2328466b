import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two reads: few enough not to disturb what is measured. */
const READ_EVERY = 20;

/** Reads the feed repeatedly, like a user unaffected by imports and uploads. Returns the slowest read in milliseconds. */
export async function readUntil(
  baseUrl: string,
  isOver: () => boolean,
): Promise<{ count: number; slowest: number }> {
  const seen = { count: 0, slowest: 0 };
  while (!isOver()) {
    const began = performance.now();
    await (await fetch(`${baseUrl}/api/posts`)).text();
    seen.slowest = Math.max(seen.slowest, performance.now() - began);
    seen.count += 1;
    await pause(READ_EVERY);
  }
  return seen;
}
