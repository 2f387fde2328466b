import autocannon from "autocannon";

export interface Target {
  url: string;
  headers?: Record<string, string>;
}

export interface Measured {
  /** Responses per second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
}

const CONNECTIONS = 10;

/** Puts load on a target. Throws if any response isn't a 2xx. */
export async function load(target: Target, seconds: number): Promise<Measured> {
  const result = await autocannon({ ...target, connections: CONNECTIONS, duration: seconds });
  const failed = result.non2xx + result.errors + result.timeouts;
  if (failed > 0) throw new Error(`${failed} responses of ${target.url} weren't successful`);
  return { rate: result["2xx"] / result.duration, p50: result.latency.p50, p99: result.latency.p99 };
}

/** Measures targets in turn, so that other load on the machine affects all alike. Returns the median of each. */
export async function compare(
  targets: Target[],
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<Measured[]> {
  for (const target of targets) await load(target, 1);
  const results: Measured[][] = targets.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (const [i, target] of targets.entries()) results[i]?.push(await load(target, seconds));
  }
  return results.map((measured) => ({
    rate: median(measured.map((one) => one.rate)),
    p50: median(measured.map((one) => one.p50)),
    p99: median(measured.map((one) => one.p99)),
  }));
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
