import { keepTrace, traceStep } from "../tracing/tracing.ts";

/**
 * Names of what changed, such as `inbox 42`. Delivery is best-effort: a message may come late, twice or, from other
 * processes, never. So it only triggers a re-read.
 */
export type Channels = ReadonlySet<string>;

/** Called after the commit; `ours` says whether this process made the change. */
export type Listener = (channels: Channels, ours: boolean) => void;

/** Publishes committed changes to listeners in this process and, on PostgreSQL, in all others. */
export class ChangeBus {
  /** Whether other processes' changes currently arrive. If not, listeners must poll. */
  reachesAll = false;
  /** Committed counts by name, for metrics. */
  readonly counters = new Map<string, number>();
  readonly #listeners = new Set<Listener>();

  /** Adds a listener; the returned function removes it. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  notify(channels: Channels, ours: boolean): void {
    if (channels.size === 0) return;
    for (const listener of this.#listeners) listener(channels, ours);
  }

  /** Starts receiving other processes' changes, until {@link unfollow}. */
  follow(): void {}

  unfollow(): void {}

  /** Publishes to this process and all others. */
  publish(channels: Channels): void {
    this.notify(channels, true);
  }
}

interface Pending {
  readonly channels: Set<string>;
  readonly counters: Map<string, number>;
}

/** Runs a transaction and publishes its channels and counts once it has committed. */
export async function publishAfterCommit<Tx extends Pending, T>(
  changes: ChangeBus,
  run: (work: (tx: Tx) => Promise<T>) => Promise<T>,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  let channels: Channels = new Set();
  let counters: Pending["counters"] = new Map();
  const collect = async (tx: Tx) => {
    // Left over from an earlier transaction or a failed attempt.
    tx.channels.clear();
    tx.counters.clear();
    const done = await work(tx);
    channels = new Set(tx.channels);
    counters = new Map(tx.counters);
    return done;
  };
  // Another caller's transaction may run it, when its turn comes.
  const value = await traceStep(
    () => ({ name: "transaction", kind: "CLIENT" }),
    () => run(keepTrace(collect)),
  );
  for (const [name, times] of counters) changes.counters.set(name, (changes.counters.get(name) ?? 0) + times);
  if (channels.size > 0) changes.publish(channels);
  return value;
}
