import { type Db, Overloaded } from "../storage/storage.ts";
import type { Call, JsonText } from "./context.ts";
import { answered, performAll, type Write } from "./write.ts";

/** How many calls share a transaction at most: bounds how long each waits, and what one failure takes along. */
const MOST = 256;
/** Milliseconds: whoever has waited longer for those before is told so, and not begun. */
const PATIENCE = 5000;

type Work = (tx: Db, calls: readonly Call[]) => Promise<object[]>;
type Outcomes = ReturnType<typeof performAll<Write & Call>>;

interface Batch {
  writes: (Write & Call)[];
  begun: boolean;
  outcomes: Outcomes;
}

/**
 * Calls of one operation that change the same row. One after the other, each would wait for the commit of the last,
 * and a post that everybody likes could be liked no oftener than the disk can flush. So while some are under way the
 * next gather, and go together: the more there are, the more share a commit.
 */
export class Together {
  /** By their target, those that were last to be put together. */
  readonly #last = new Map<number, Batch>();

  perform(write: Write, target: number, work: Work): Promise<JsonText> {
    const { caller } = write;
    if (!caller) throw new Error("what nobody calls can't be done together");
    const called = Object.assign(write, { caller });
    return answered(write, async () => {
      // A dry run is rolled back, and would take along whatever it shared a transaction with.
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
    // Whatever became of those before, these have their own turn.
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
