import { firstTime, timeOf } from "../clean/time.ts";
import { MAX_ITEMS } from "../poll.ts";

/**
 * The entries that are imported: the newest ones, wherever they stand, in the feed's order. Entries without a time are as
 * old as the one before them.
 * @param timesOf an entry's times as the feed writes them
 */
export function newestOf<Given>(
  entries: readonly Given[],
  timesOf: (entry: Given) => (string | undefined)[],
): readonly Given[] {
  if (entries.length <= MAX_ITEMS) return entries;
  const now = Date.now();
  const times = entries.map((entry) => {
    const written = firstTime(timesOf(entry));
    return written === undefined ? null : timeOf(written, now);
  });
  let before = times.find((time) => time !== null) ?? now;
  const dated = times.map((time, index) => {
    before = time ?? before;
    return { index, time: before };
  });
  const newest = dated.toSorted((a, b) => b.time - a.time).slice(0, MAX_ITEMS);
  const chosen = new Set(newest.map(({ index }) => index));
  return entries.filter((_, index) => chosen.has(index));
}
