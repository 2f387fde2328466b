import type { Database, Statement } from "better-sqlite3";

/** Milliseconds that a transaction lasts at most: SQLite can't shorten its log meanwhile. */
const LONGEST = 20;

/**
 * Lets all reads of one turn of the event loop share a transaction, because beginning and ending one takes longer than most reads.
 * So reads of a turn see the same state, also if another process commits meanwhile. It holds no lock between turns.
 */
export class SharedRead {
  readonly #database: Database;
  readonly #begin: Statement;
  readonly #readVersion: Statement<[], number>;
  readonly #end: Statement;
  #isOpen = false;
  #openedAt = 0;
  #version = 0;
  #hasArrived = false;

  /** @param database the connection that reads */
  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare("begin");
    this.#readVersion = database.prepare<[], number>("pragma data_version").pluck();
    this.#end = database.prepare("rollback");
  }

  /** Call before each read. */
  begin(): void {
    const now = performance.now();
    // A loop that awaits only reads never ends its turn.
    if (this.#isOpen && now - this.#openedAt > LONGEST) this.end();
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    this.#openedAt = now;
    setImmediate(this.end);
    try {
      this.#version = this.#readVersion.get() ?? 0;
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /**
   * Call when a request arrives: another process may have acknowledged a write before it was sent. Requests that arrive together
   * still share a transaction.
   */
  freshen(): void {
    if (this.#hasArrived) return;
    this.end();
    this.#hasArrived = true;
    setImmediate(() => {
      this.#hasArrived = false;
    });
  }

  /** What reads of this turn see; it changes with each commit, of any process. */
  get version(): number {
    this.begin();
    return this.#version;
  }

  /** Call before a commit: it can't shorten the log under a reader, and later reads of the turn must see it. */
  readonly end = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    // Some errors end the transaction. A rollback, because a commit fails in a damaged database.
    if (this.#database.open && this.#database.inTransaction) this.#end.run();
  };
}
