/** Maximum measurements: after that many, the machine's load can't be the reason. */
const TRIES = 4;

/** The lowest of up to four measurements, stopping at one below `enough`. Other load only makes measurements higher. */
export async function lowestOf(enough: number, measure: () => number | Promise<number>): Promise<number> {
  let found = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && found >= enough; left--) found = Math.min(found, await measure());
  return found;
}

/** Like {@link lowestOf}, for the CPU milliseconds of work on this thread. */
export function lowestCpuTime(enough: number, work: () => unknown): Promise<number> {
  return lowestOf(enough, () => cpuTime(work));
}

/** CPU milliseconds of work on this thread. Waiting doesn't count. */
export async function cpuTime(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
