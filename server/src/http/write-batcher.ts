import { type Db, Overloaded } from "../storage/storage.ts";
import type { Call, JsonText } from "./context.ts";
import { answered, performAll, type Write } from "./write.ts";

/** Maximum calls per transaction: limits how long each waits and how many one failure affects. */
const MOST = 256;
/** Milliseconds after which a waiting call is refused. */
const PATIENCE = 5000;

type Work = (tx: Db, calls: readonly Call[]) => Promise<object[]>;
type Outcomes = ReturnType<typeof performAll<Write & Call>>;

interface Batch {
  writes: (Write & Call)[];
  begun: boolean;
  outcomes: Outcomes;
}

/**
 * Batches calls of one operation that change the same row. One by one, each would wait for the previous commit, and a
 * popular post could get no more likes per second than the disk can flush. Calls that arrive during a batch form the next
 * one, so batches grow with load.
 */
export class Together {
  /** The latest batch of each target. */
  readonly #last = new Map<number, Batch>();

  perform(write: Write, target: number, work: Work): Promise<JsonText> {
    const { caller } = write;
    if (!caller) throw new Error("what nobody calls can't be done together");
    const called = Object.assign(write, { caller });
    return answered(write, async () => {
      // A dry run rolls back its whole transaction, so it runs alone.
      const outcomes = write.dryRun ? performAll([called], work) : this.#join(called, target, work);
      return (await outcomes).get(called);
    });
  }

  #join(write: Write & Call, target: number, work: Work): Outcomes {
    const last = this.#last.get(target);
    if (last && !last.begun && last.writes.length < MOST) {
      last.writes.push(write);
      return last.outcomes;
    }
    const batch: Batch = { writes: [write], begun: false, outcomes: Promise.resolve(new Map()) };
    batch.outcomes = this.#run(batch, target, work, last?.outcomes);
    this.#last.set(target, batch);
    return batch.outcomes;
  }

  async #run(batch: Batch, target: number, work: Work, before: Outcomes | undefined): Outcomes {
    const since = performance.now();
    // The outcome of the previous batch doesn't matter.
    await before?.catch(() => {});
    batch.begun = true;
    try {
      if (performance.now() - since > PATIENCE) throw new Overloaded("those before take too long");
      return await performAll(batch.writes, work);
    } finally {
      if (this.#last.get(target) === batch) this.#last.delete(target);
    }
  }
}
