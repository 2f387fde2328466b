import Database from "better-sqlite3";
import { Overloaded } from "../storage.ts";

/** Temporary failures: the disk is full or failing, or another process holds a lock. */
const TEMPORARY = /^SQLITE_(FULL|IOERR|BUSY)/;

/** Converts temporary failures to `Overloaded`; returns other errors unchanged. */
export function asOverloaded(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError && TEMPORARY.test(error.code))) return error;
  return new Overloaded(`The database is temporarily unavailable: ${error.message}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}

/** Whether the file's content isn't what SQLite wrote. */
export function isDamage(error: unknown): boolean {
  return error instanceof Database.SqliteError && /^SQLITE_(CORRUPT|NOTADB)/.test(error.code);
}
