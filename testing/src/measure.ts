/** More tries than this mean that it isn't the machine. */
const TRIES = 4;

/**
 * The least of a few measurements, taken until one is below `enough`: whatever else the machine is doing makes them higher,
 * and never lower.
 */
export async function lowestOf(enough: number, measure: () => number | Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && found >= enough; left--) found = Math.min(found, await measure());
  return found;
}

/** The milliseconds of processor time that work takes on this thread, measured until they are below `enough`. */
export function lowestCpuTime(enough: number, work: () => unknown): Promise<number> {
  return lowestOf(enough, () => cpuTime(work));
}

/**
 * The milliseconds of processor time that work takes on this thread. Time that the thread waits doesn't count, whether for
 * another thread or because the machine is busy.
 */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
