import { statSync } from "node:fs";
import { basename } from "node:path";
import Database from "better-sqlite3";
import { DatabaseUnusable, Overloaded } from "../storage.ts";
import { asOverloaded, isDamage } from "./errors.ts";

/** Milliseconds between two inspections: one takes some milliseconds, and anyone may ask for readiness. */
const INSPECTION_INTERVAL = 1000;

/**
 * Watches the files of an open database. After one was deleted or replaced, SQLite would go on writing to the old one, and
 * what was acknowledged would be gone at the next start.
 */
export class OpenFile {
  readonly #path: string;
  readonly #identities: Map<string, string | null>;
  #damage: Overloaded | null = null;
  #inspectedAt = Number.NEGATIVE_INFINITY;

  /** @param path of the database, which is open and has a log */
  constructor(path: string) {
    this.#path = path;
    this.#identities = new Map([path, `${path}-wal`].map((part) => [part, identityOf(part)]));
  }

  /** Throws {@link DatabaseUnusable} unless the paths still lead to the open files, and no query found damage. Takes microseconds. */
  check(): void {
    if (this.#damage) throw this.#damage;
    for (const [part, identity] of this.#identities) if (identityOf(part) !== identity) throw lost(part);
  }

  get isSound(): boolean {
    try {
      this.check();
      return true;
    } catch {
      return false;
    }
  }

  /** Remembers damage, which no later success disproves, and converts what is temporary to `Overloaded`. */
  convert(error: unknown): unknown {
    const converted = asOverloaded(error);
    if (isDamage(error) && converted instanceof Overloaded) this.#damage ??= converted;
    return converted;
  }

  /**
   * Reads a row of every table. By a connection of its own, because the others may have the pages in memory. Never by
   * opening the file in another way: closing it would release the locks of the whole process.
   */
  inspect(): void {
    if (performance.now() - this.#inspectedAt < INSPECTION_INTERVAL) return;
    let database: Database.Database | undefined;
    try {
      database = new Database(this.#path, { readonly: true, fileMustExist: true, timeout: 100 });
      const names = database.prepare(tables).pluck().all() as string[];
      database.prepare(`select ${names.map((name) => `exists (select 1 from "${name}")`)}`).get();
      this.#inspectedAt = performance.now();
    } catch (error) {
      throw this.convert(error);
    } finally {
      database?.close();
    }
  }
}

function lost(path: string): DatabaseUnusable {
  const [name, isMissing] = [basename(path), identityOf(path) === null];
  return new DatabaseUnusable(
    isMissing ? "database_file_missing" : "database_file_replaced",
    isMissing
      ? `The database file ${name} was deleted or moved away while the service runs`
      : `The database file ${name} was replaced while the service runs`,
    "If you moved it away, move it back. Otherwise stop the service and restore a backup before you start it again: without a file, it creates an empty database.",
  );
}

/** Those with pages of their own. */
const tables = "select name from sqlite_schema where type = 'table' and rootpage > 0";

function identityOf(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found ? `${found.dev} ${found.ino}` : null;
}
