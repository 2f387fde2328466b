import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { Overloaded } from "../storage.ts";

interface Job<Tx> {
  work: (tx: Tx) => Promise<unknown>;
  settle: (outcome: Outcome) => void;
}
type Outcome = { value: unknown } | { error: unknown };

/** How many writes share a commit at most: bounds both the wait of the first and what one failed commit takes along. */
const BATCH = 128;
/** More than this would wait for seconds: better to say so at once. */
const WAITING = 10_000;

/**
 * The one writer. Writes queue up and run one after the other, each in its own savepoint; a batch of them
 * shares a transaction and so one fsync. Each is told of its outcome after the commit, never before.
 */
export class Writer<Tx> {
  readonly #database: Database;
  readonly #tx: Tx;
  #queue: Job<Tx>[] = [];
  #draining: Promise<void> | null = null;

  constructor(database: Database, tx: Tx) {
    this.#database = database;
    this.#tx = tx;
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#queue.length >= WAITING) throw new Overloaded("the queue of writes is full");
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#queue.push({ work, settle });
      this.#draining ??= this.#drain().finally(() => {
        this.#draining = null;
      });
    });
  }

  /** Resolves when every write so far has been settled. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that have already arrived join this commit instead of waiting for the next.
      await nextTurn();
      const batch = this.#queue.splice(0, BATCH);
      const outcomes = await this.#commit(batch);
      for (const [i, job] of batch.entries())
        job.settle(outcomes[i] ?? { error: new Error("a write was lost") });
    }
  }

  async #commit(batch: Job<Tx>[]): Promise<Outcome[]> {
    try {
      this.#database.exec("begin immediate");
      const outcomes: Outcome[] = [];
      for (const job of batch) outcomes.push(await this.#attempt(job));
      this.#database.exec("commit");
      return outcomes;
    } catch (error) {
      if (this.#database.inTransaction) this.#database.exec("rollback");
      return batch.map(() => ({ error }));
    }
  }

  async #attempt(job: Job<Tx>): Promise<Outcome> {
    this.#database.exec("savepoint one_write");
    try {
      const value = await job.work(this.#tx);
      this.#database.exec("release one_write");
      return { value };
    } catch (error) {
      // A fault as grave as a full disk ends the whole transaction, and with it every write of the batch.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec("rollback to one_write; release one_write");
      return { error };
    }
  }
}
