import type { Database, Statement } from "better-sqlite3";

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
  #version = 0;

  /** @param database the connection that reads */
  constructor(database: Database) {
    this.#database = database;
    this.#begin = database.prepare("begin");
    this.#readVersion = database.prepare<[], number>("pragma data_version").pluck();
    this.#end = database.prepare("rollback");
  }

  /** Call before each read. */
  begin(): void {
    if (this.#isOpen) return;
    this.#begin.run();
    this.#isOpen = true;
    setImmediate(this.end);
    this.#version = this.#readVersion.get() ?? 0;
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
