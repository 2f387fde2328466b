import { setTimeout as pause } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import { type Db, Overloaded } from "../storage.ts";
import { fromClient } from "./driver.ts";
import { kysely } from "./engine.ts";
import { asOurs, isCrowded, isWorthRetrying } from "./errors.ts";
import type { Names } from "./names.ts";
import { connect } from "./pool.ts";

/** How often a transaction is tried that others made fail, and how long at most to wait before it is tried again. */
const ATTEMPTS = 10;
const LONGEST_PAUSE = 50;

type Work<T> = (tx: Db) => Promise<T>;

/** Runs work in transactions, each over a connection of its own, and again where only others made it fail. */
export class Transactions {
  readonly #pool: Pool;
  readonly #names: Names | null;
  readonly #begin: string;
  /** Of each connection, the tables as seen over it. */
  readonly #over = new WeakMap<PoolClient, Db>();

  constructor(pool: Pool, names: Names | null, timeout: number | undefined) {
    this.#pool = pool;
    this.#names = names;
    // A machine of ours that falls silent in the middle of a write must not keep its locks from the others.
    const limit = `set local idle_in_transaction_session_timeout = ${timeout}`;
    // Whatever the database's own custom is: quotas are counted on what others have committed meanwhile.
    const begin = "begin isolation level read committed";
    this.#begin = timeout ? `${begin}; ${limit}` : begin;
  }

  /** Resolves once the commit is durable; rolls back what was done if the work throws. */
  async run<T>(work: Work<T>): Promise<T> {
    for (let left = ATTEMPTS - 1; ; left--) {
      try {
        return await this.#attempt(work);
      } catch (error) {
        if (!isWorthRetrying(error)) throw error;
        if (left === 0)
          throw isCrowded(error) ? new Overloaded("too many write at once", { cause: error }) : error;
        await pause(Math.random() * LONGEST_PAUSE);
      }
    }
  }

  async #attempt<T>(work: Work<T>): Promise<T> {
    const client = await connect(this.#pool);
    let broken = false;
    try {
      await client.query(this.#begin);
      const value = await work(this.#dbOver(client));
      await commit(client);
      return value;
    } catch (error) {
      const ours = asOurs(error);
      // A connection that hangs or can't even roll back is closed, not lent again.
      broken = ours instanceof Overloaded || (await client.query("rollback").then(no, yes));
      throw ours;
    } finally {
      client.release(broken);
    }
  }

  #dbOver(client: PoolClient): Db {
    const known = this.#over.get(client) ?? kysely(fromClient(client), this.#names);
    this.#over.set(client, known);
    return known;
  }
}

const yes = () => true;
const no = () => false;

/** Throws unless it is committed, and kept wherever it must be before that may be said. */
async function commit(client: PoolClient): Promise<void> {
  let unconfirmed = false;
  const hear = ({ routine }: { routine: string | undefined }) => {
    unconfirmed ||= routine === "SyncRepWaitForLSN";
  };
  client.on("notice", hear);
  const { command } = await client.query("commit").finally(() => client.off("notice", hear));
  // PostgreSQL says so in a warning only: it is committed here, and would be lost with this machine.
  if (unconfirmed) throw new Overloaded("no standby has confirmed the commit");
  // What failed within a transaction and was overlooked makes its commit a rollback.
  if (command !== "COMMIT") throw new Error("the transaction was rolled back instead of committed");
}
