import { setTimeout as pause } from "node:timers/promises";

/** Milliseconds between two reads: what is measured goes on besides, and not how many reads there can be. */
const READ_EVERY = 20;

/** Reads the feed again and again, as somebody does who waits for no source and for nobody's uploads; `slowest` in milliseconds. */
export async function readOn(
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
