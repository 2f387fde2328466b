import Database from "better-sqlite3";
import { DatabaseUnusable, Overloaded } from "../storage.ts";

/** Temporary failures: the disk is full or failing, another process holds a lock, or too many files are open. */
const TEMPORARY = /^SQLITE_(FULL|IOERR|BUSY|CANTOPEN)/;
/** The file's content isn't what SQLite wrote. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

/** Converts temporary failures and damage to `Overloaded`; returns other errors unchanged. */
export function asOverloaded(error: unknown): unknown {
  if (isDamage(error))
    return new DatabaseUnusable(
      "database_damaged",
      `The database is damaged: ${messageOf(error)}`,
      "Stop the service and restore a backup.",
      { cause: error },
    );
  if (!hasCode(error, TEMPORARY)) return error;
  return new Overloaded(`The database is temporarily unavailable: ${messageOf(error)}`, { cause: error });
}

export function isDamage(error: unknown): boolean {
  return hasCode(error, DAMAGE);
}

export function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_BUSY/);
}

function hasCode(error: unknown, codes: RegExp): boolean {
  return error instanceof Database.SqliteError && codes.test(error.code);
}

function messageOf(error: unknown): string {
  return (error as Error).message;
}
