/** More tries than this mean that it isn't the machine. */
const TRIES = 4;

/**
 * The least of a few measurements, taken until one is below `enough`: whatever else the machine is doing makes them higher,
 * and never lower.
 */
export async function least(enough: number, measure: () => number | Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && found >= enough; left--) found = Math.min(found, await measure());
  return found;
}

/** The milliseconds that work takes when nothing else holds it up. */
export function quickest(enough: number, work: () => unknown): Promise<number> {
  return least(enough, async () => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  });
}
