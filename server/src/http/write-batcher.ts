import { type Db, Overloaded } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import type { Call, JsonText } from "./context.ts";
import { performAll, performOnce, type Write } from "./write.ts";

/** Maximum calls per transaction: limits how long each waits and how many one failure affects. */
const BATCH_SIZE = 256;
/** Milliseconds after which a waiting call is refused. */
const MAX_WAIT = 5000;

type Work<T extends object = object> = (tx: Db, calls: readonly Call[]) => Promise<(T | ApiError)[]>;
type Outcomes = ReturnType<typeof performAll<Write & Call>>;

interface Batch {
  writes: (Write & Call)[];
  begun: boolean;
  outcomes: Outcomes;
}

/** Performs the work for one call. Throws its error. */
export async function performAlone<T extends object>(tx: Db, call: Call, work: Work<T>): Promise<T> {
  const [response] = await work(tx, [call]);
  if (response === undefined || response instanceof ApiError)
    throw response ?? new Error("the call has no response");
  return response;
}

/**
 * Batches calls of one operation that change the same row. One by one, each would wait for the previous commit, and a
 * popular post could get no more likes per second than the disk can flush. Calls that arrive during a batch form the next
 * one, so batches grow with load.
 */
export class WriteBatcher {
  /** The latest batch of each target. */
  readonly #latest = new Map<number, Batch>();

  perform(write: Write, target: number, work: Work): Promise<JsonText> {
    const { caller } = write;
    if (!caller) throw new Error("batched writes need a caller");
    const called = Object.assign(write, { caller });
    return performOnce(write, async () => {
      // A dry run rolls back its whole transaction, so it runs alone.
      const outcomes = write.dryRun ? performAll([called], work) : this.#join(called, target, work);
      return (await outcomes).get(called);
    });
  }

  #join(write: Write & Call, target: number, work: Work): Outcomes {
    const latest = this.#latest.get(target);
    if (latest && !latest.begun && latest.writes.length < BATCH_SIZE) {
      latest.writes.push(write);
      return latest.outcomes;
    }
    const batch: Batch = { writes: [write], begun: false, outcomes: Promise.resolve(new Map()) };
    batch.outcomes = this.#run(batch, target, work, latest?.outcomes);
    this.#latest.set(target, batch);
    return batch.outcomes;
  }

  async #run(batch: Batch, target: number, work: Work, before: Outcomes | undefined): Outcomes {
    const since = performance.now();
    // The outcome of the previous batch doesn't matter.
    await before?.catch(() => {});
    batch.begun = true;
    try {
      if (performance.now() - since > MAX_WAIT) throw new Overloaded("the previous batch takes too long");
      return await performAll(batch.writes, work);
    } finally {
      if (this.#latest.get(target) === batch) this.#latest.delete(target);
    }
  }
}
