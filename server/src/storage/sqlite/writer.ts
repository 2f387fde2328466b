import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { Overloaded } from "../storage.ts";
import { asFault, isBusy } from "./faults.ts";

interface Job<Tx> {
  work: (tx: Tx) => Promise<unknown>;
  settle: (outcome: Outcome) => void;
  since: number;
}
type Outcome = { value: unknown } | { error: unknown };

/** How many writes share a commit at most: bounds what one failed commit takes along. */
const BATCH = 128;
/** A batch takes on no more writes after so many milliseconds: nothing else runs before it ends. */
const SLICE = 20;
/** More than this would wait for seconds: better to say so at once. */
const WAITING = 10_000;
/** How many milliseconds a write waits while another process holds the lock. */
const PATIENCE = 3000;
/**
 * So many milliseconds pass between two looks at that lock: fewer the longer the first in the queue has waited, and
 * few after `EAGER`. Whoever waits long so comes first, and else the lock stays for some batches where it is: to change
 * hands costs, for a process must read anew what another has written.
 */
const GLANCE = 10;
const EAGER = 50;

/**
 * The one writer. Writes queue up and run one after the other, each in its own savepoint; a batch of them
 * shares a transaction and so one fsync. Each is told of its outcome after the commit, never before.
 */
export class Writer<Tx> {
  readonly #database: Database;
  readonly #tx: Tx;
  #queue: Job<Tx>[] = [];
  #draining: Promise<void> | null = null;
  #failed = false;

  constructor(database: Database, tx: Tx) {
    this.#database = database;
    this.#tx = tx;
  }

  /** True from when the disk or another's lock made writes fail, until one succeeds. */
  get failed(): boolean {
    return this.#failed;
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#queue.length >= WAITING) throw new Overloaded("the queue of writes is full");
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#queue.push({ work, settle, since: performance.now() });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when every write so far has been settled. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Never rejects. No write comes between its last look at the queue and its end, for nothing is awaited there. */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // Requests that have already arrived join this commit instead of waiting for the next, and reads go on.
      await nextTurn();
      const batch: Job<Tx>[] = [];
      try {
        if (!this.#begin()) {
          this.#dismissImpatient();
          await pause(this.#glance());
          continue;
        }
        const outcomes = await this.#run(batch);
        this.#database.exec("commit");
        if (outcomes.some((one) => "value" in one)) this.#failed = false;
        for (const [i, job] of batch.entries()) {
          job.settle(outcomes[i] ?? { error: new Error("a write was lost") });
        }
      } catch (error) {
        // Where not even a transaction could begin, the first in the queue are those it was for.
        this.#fail(batch.length > 0 ? batch : this.#queue.splice(0, BATCH), error);
      }
    }
    this.#draining = null;
  }

  /** False where another process is writing. */
  #begin(): boolean {
    // What an earlier rollback failed to end.
    if (this.#database.inTransaction) this.#database.exec("rollback");
    try {
      this.#database.exec("begin immediate");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** By chance a little more or less, lest two processes look in step, one always just before the other. */
  #glance(): number {
    const now = performance.now();
    const waited = now - (this.#queue[0]?.since ?? now);
    return Math.max(1, GLANCE * (1 - waited / EAGER)) * (0.5 + Math.random());
  }

  /** Takes jobs from the queue into the batch, and gives their outcomes in the same order. */
  async #run(batch: Job<Tx>[]): Promise<Outcome[]> {
    const end = performance.now() + SLICE;
    const outcomes: Outcome[] = [];
    while (batch.length < BATCH && performance.now() < end) {
      const job = this.#queue.shift();
      if (!job) break;
      batch.push(job);
      outcomes.push(await this.#attempt(job));
    }
    return outcomes;
  }

  async #attempt(job: Job<Tx>): Promise<Outcome> {
    this.#database.exec("savepoint one_write");
    try {
      const value = await job.work(this.#tx);
      this.#database.exec("release one_write");
      return { value };
    } catch (error) {
      this.#note(error);
      // A fault as grave as a full disk ends the whole transaction, and with it every write of the batch.
      if (!this.#database.inTransaction) throw error;
      this.#database.exec("rollback to one_write; release one_write");
      return { error };
    }
  }

  #fail(batch: Job<Tx>[], reason: unknown): void {
    const error = this.#note(asFault(reason));
    try {
      if (this.#database.inTransaction) this.#database.exec("rollback");
    } catch {
      // The next batch tries again before it begins. Why this one failed is said by `reason`.
    }
    for (const job of batch) job.settle({ error });
  }

  #dismissImpatient(): void {
    const before = performance.now() - PATIENCE;
    // They stand in the order in which they came.
    while ((this.#queue[0]?.since ?? before) < before) {
      const error = this.#note(new Overloaded("another process holds the lock for writing"));
      this.#queue.shift()?.settle({ error });
    }
  }

  #note<E>(error: E): E {
    if (error instanceof Overloaded) this.#failed = true;
    return error;
  }
}
