import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { type Db, Overloaded } from "../storage.ts";
import { type ConnectionProvider, deferredIn, fromPipeline } from "./driver.ts";
import { asOverloaded, isContention, isRetryable } from "./errors.ts";
import { Pipeline } from "./pipeline.ts";
import { connect } from "./pool.ts";

/** How often a transaction that conflicts with others is tried, and the longest pause between attempts in milliseconds. */
const ATTEMPTS = 10;
const MAX_PAUSE = 50;

type Work<T> = (tx: Db) => Promise<T>;

/** Runs work in transactions, each on its own connection, and retries those that conflict with others. */
export class Transactions {
  readonly #pool: Pool;
  readonly #dbOver: (source: ConnectionProvider) => Db;
  readonly #begin: string;
  readonly #open = new WeakMap<PoolClient, { pipeline: Pipeline; tx: Db }>();
  /** The times since when transactions wait for a connection, oldest first. */
  readonly #waiting = new Set<{ since: number }>();

  constructor(pool: Pool, dbOver: (source: ConnectionProvider) => Db, timeout: number | undefined) {
    this.#pool = pool;
    this.#dbOver = dbOver;
    // Releases the locks of a process that vanishes in the middle of a transaction.
    const limit = `set local idle_in_transaction_session_timeout = ${timeout}`;
    // Overrides the database's default: counting quotas relies on seeing what others have committed meanwhile.
    const begin = "begin isolation level read committed";
    this.#begin = timeout ? `${begin}; ${limit}` : begin;
  }

  get waiting(): { length: number; age: number } {
    const [first] = this.#waiting;
    return { length: this.#waiting.size, age: first ? performance.now() - first.since : 0 };
  }

  /** Resolves once the commit is durable; rolls back if the work throws. */
  async run<T>(work: Work<T>): Promise<T> {
    for (let left = ATTEMPTS - 1; ; left--) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isRetryable(error)) throw error;
        if (left === 0)
          throw isContention(error) ? new Overloaded("Too many concurrent writes", { cause: error }) : error;
        await pause(Math.random() * MAX_PAUSE);
      }
    }
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    const waiter = { since: performance.now() };
    this.#waiting.add(waiter);
    const client = await connect(this.#pool).finally(() => this.#waiting.delete(waiter));
    const { pipeline, tx } = this.#over(client);
    let broken = false;
    try {
      pipeline.begin(this.#begin);
      const value = await work(tx);
      await commit(client, pipeline);
      return value;
    } catch (error) {
      const converted = asOverloaded(await pipeline.causeOf(error));
      // A connection that hangs or can't roll back is closed instead of reused.
      broken = converted instanceof Overloaded || (await client.query("rollback").then(no, yes));
      throw converted;
    } finally {
      client.release(broken);
    }
  }

  #over(client: PoolClient): { pipeline: Pipeline; tx: Db } {
    const existing = this.#open.get(client);
    if (existing) return existing;
    const pipeline = new Pipeline(client);
    const tx = this.#dbOver(fromPipeline(pipeline));
    const { channels, counters } = tx;
    const later = Object.assign(this.#dbOver(deferredIn(pipeline)), { channels, counters });
    const opened = { pipeline, tx: Object.assign(tx, { later }) };
    this.#open.set(client, opened);
    return opened;
  }
}

const yes = () => true;
const no = () => false;

/** Throws unless the transaction is committed, and confirmed by the synchronous standby if there is one. */
async function commit(client: PoolClient, pipeline: Pipeline): Promise<void> {
  let unconfirmed = false;
  const onNotice = ({ routine }: { routine: string | undefined }) => {
    unconfirmed ||= routine === "SyncRepWaitForLSN";
  };
  client.on("notice", onNotice);
  const { command } = await pipeline.query({ text: "commit" }).finally(() => client.off("notice", onNotice));
  // PostgreSQL only warns about this: the commit is on the primary's disk, and would be lost with it.
  if (unconfirmed) throw new Overloaded("No standby has confirmed the commit");
  // If an error within the transaction was ignored, PostgreSQL turns the commit into a rollback.
  if (command !== "COMMIT") throw new Error("The transaction was rolled back instead of committed");
}
