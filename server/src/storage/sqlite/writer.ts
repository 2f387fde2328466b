import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Database } from "better-sqlite3";
import { Overloaded } from "../storage.ts";
import { asOverloaded, isBusy } from "./errors.ts";
import type { OpenFile } from "./open-file.ts";

interface Job<Tx> {
  work: (tx: Tx) => Promise<unknown>;
  settle: (outcome: Outcome) => void;
  queuedAt: number;
}
type Outcome = { value: unknown } | { error: unknown };

/** The most writes that share a commit, which limits how many one failed commit affects. */
const MAX_BATCH = 128;
/** After this many milliseconds a batch accepts no more writes, because it blocks the thread's other work. */
const MAX_BATCH_TIME = 20;
/**
 * A batch waits as long as each turn of the event loop brings more writes, until so many wait, or the oldest has for so long: the more share a
 * commit, the less each costs.
 */
const GATHERED = { writes: 16, milliseconds: 5 };
/** The most writes that can wait. More would wait for seconds, so they fail immediately instead. */
const MAX_QUEUE = 10_000;
/** Milliseconds that a write waits while another process holds the write lock. */
const LOCK_TIMEOUT = 3000;
/**
 * Milliseconds between attempts to take that lock. The interval shrinks to 1 ms as the oldest write waits, over URGENT_AFTER
 * milliseconds, so the process with the oldest write usually gets the lock next. Until then the lock stays with one process
 * for several batches, because each handover makes the next process re-read changed pages.
 */
const LOCK_RETRY = 10;
const URGENT_AFTER = 50;

/**
 * How many batches use savepoints after a write failed. Savepoints take about a tenth of a write's time, because SQLite copies each
 * page that a write is the first to change. Without them, a write that fails makes its whole batch run again.
 */
const CAREFUL_BATCHES = 100;

/** A database without a file to lose. */
const inMemory = { check() {}, convert: asOverloaded };

/**
 * Runs all writes of this process one at a time. They queue up; a batch shares one transaction and so one fsync. A write's
 * promise settles only after that commit. If a write fails, its batch is rolled back and runs again with a savepoint for each
 * write, so that only the failed one is undone.
 */
export class Writer<Tx> {
  readonly #database: Database;
  readonly #tx: Tx;
  readonly #file: Pick<OpenFile, "check" | "convert">;
  readonly #endReads: () => void;
  /** Called when a batch is about to block the thread's other work. */
  beforeBatch: () => void = () => {};
  #queue: Job<Tx>[] = [];
  #draining: Promise<void> | null = null;
  #failure: Overloaded | null = null;
  /** How many of the next batches use savepoints. */
  #careful = 0;

  /** @param endReads ends the transaction of this process's reads */
  constructor(
    database: Database,
    tx: Tx,
    file: Pick<OpenFile, "check" | "convert"> = inMemory,
    endReads: () => void = () => {},
  ) {
    this.#database = database;
    this.#tx = tx;
    this.#file = file;
    this.#endReads = endReads;
  }

  /** Why a write last failed with `Overloaded`; null once one succeeds. */
  get failure(): Overloaded | null {
    return this.#failure;
  }

  get waiting(): { length: number; age: number } {
    const [first] = this.#queue;
    return { length: this.#queue.length, age: first ? performance.now() - first.queuedAt : 0 };
  }

  async write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    if (this.#queue.length >= MAX_QUEUE) throw new Overloaded("The write queue is full");
    return new Promise<T>((resolve, reject) => {
      const settle = (outcome: Outcome) =>
        "error" in outcome ? reject(outcome.error) : resolve(outcome.value as T);
      this.#queue.push({ work, settle, queuedAt: performance.now() });
      this.#draining ??= this.#drain();
    });
  }

  /** Resolves when no write is queued or running. */
  async idle(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  /** Never rejects. Nothing is awaited between the last check of the queue and the end, so that no write is missed. */
  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      await this.#gather();
      const batch: Job<Tx>[] = [];
      try {
        this.beforeBatch();
        this.#file.check();
        if (!this.#begin()) {
          this.#failTimedOut();
          await pause(this.#retryDelay());
          continue;
        }
        const outcomes = await this.#run(batch);
        if (outcomes === null) {
          this.#database.exec("rollback");
          this.#queue.unshift(...batch);
          this.#careful = CAREFUL_BATCHES;
          continue;
        }
        this.#endReads();
        this.#database.exec(isUndone(outcomes) ? "rollback" : "commit");
        // Only what is in the file that the next start opens is acknowledged.
        this.#file.check();
        if (outcomes.some((outcome) => "value" in outcome)) this.#failure = null;
        for (const [i, job] of batch.entries()) {
          job.settle(outcomes[i] ?? { error: new Error("The write has no outcome") });
        }
      } catch (error) {
        // If not even a transaction could begin, fail the writes that would have been in it.
        this.#fail(batch.length > 0 ? batch : this.#queue.splice(0, MAX_BATCH), error);
      }
    }
    this.#draining = null;
  }

  /** Lets requests that have already arrived join this commit, and reads run between batches. */
  async #gather(): Promise<void> {
    let known: number;
    do {
      known = this.#queue.length;
      await nextTurn();
    } while (this.#isGathering(known));
  }

  /** Whether more writes have come, and may come. */
  #isGathering(known: number): boolean {
    const { length, age } = this.waiting;
    return length > known && length < GATHERED.writes && age < GATHERED.milliseconds;
  }

  /** False if another process holds the write lock. */
  #begin(): boolean {
    // Left over if an earlier rollback failed.
    if (this.#database.inTransaction) this.#database.exec("rollback");
    try {
      this.#database.exec("begin immediate");
      return true;
    } catch (error) {
      if (isBusy(error)) return false;
      throw error;
    }
  }

  /** Randomized, so that two processes don't retry in step, one always just before the other. */
  #retryDelay(): number {
    const now = performance.now();
    const waited = now - (this.#queue[0]?.queuedAt ?? now);
    return Math.max(1, LOCK_RETRY * (1 - waited / URGENT_AFTER)) * (0.5 + Math.random());
  }

  /** Moves jobs from the queue to the batch and returns their outcomes in the same order. Null if one of several failed, so that they must run again. */
  async #run(batch: Job<Tx>[]): Promise<Outcome[] | null> {
    const end = performance.now() + MAX_BATCH_TIME;
    const outcomes: Outcome[] = [];
    const isCareful = this.#careful > 0;
    if (isCareful) this.#careful -= 1;
    while (batch.length < MAX_BATCH && performance.now() < end) {
      const job = this.#queue.shift();
      if (!job) break;
      batch.push(job);
      if (isCareful) {
        outcomes.push(await this.#attempt(job));
        continue;
      }
      const outcome = await this.#runWithoutSavepoint(job);
      if ("error" in outcome) return batch.length === 1 ? [outcome] : null;
      outcomes.push(outcome);
    }
    return outcomes;
  }

  async #runWithoutSavepoint(job: Job<Tx>): Promise<Outcome> {
    try {
      const value = await job.work(this.#tx);
      // Otherwise the next statements would each be committed alone.
      if (!this.#database.inTransaction)
        throw new Error("SQLite ended the transaction, and the write ignored its error");
      return { value };
    } catch (error) {
      this.#markFailed(error);
      // Errors such as a full disk end the whole transaction, and with it every write of the batch.
      if (!this.#database.inTransaction) throw error;
      return { error };
    }
  }

  async #attempt(job: Job<Tx>): Promise<Outcome> {
    this.#database.exec("savepoint one_write");
    try {
      const value = await job.work(this.#tx);
      this.#database.exec("release one_write");
      return { value };
    } catch (error) {
      this.#markFailed(error);
      if (!this.#database.inTransaction) throw error;
      this.#database.exec("rollback to one_write; release one_write");
      return { error };
    }
  }

  #fail(batch: Job<Tx>[], reason: unknown): void {
    const error = this.#markFailed(this.#file.convert(reason));
    try {
      if (this.#database.inTransaction) this.#database.exec("rollback");
    } catch {
      // `#begin` tries again. The jobs fail with `reason`, which is the cause.
    }
    for (const job of batch) job.settle({ error });
  }

  #failTimedOut(): void {
    const before = performance.now() - LOCK_TIMEOUT;
    // The queue is ordered by age.
    while ((this.#queue[0]?.queuedAt ?? before) < before) {
      const error = this.#markFailed(new Overloaded("Another process holds the write lock"));
      this.#queue.shift()?.settle({ error });
    }
  }

  #markFailed<E>(error: E): E {
    if (error instanceof Overloaded) this.#failure = error;
    return error;
  }
}

/** Whether nothing succeeded, so that there is nothing to commit. */
function isUndone(outcomes: readonly Outcome[]): boolean {
  return outcomes.every((outcome) => "error" in outcome);
}
