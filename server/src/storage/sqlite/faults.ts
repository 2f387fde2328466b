import Database from "better-sqlite3";
import { Overloaded } from "../storage.ts";

/** Faults of the disk or of another process's lock: nothing is wrong with what was asked, and it may work soon. */
const PASSING = /^SQLITE_(FULL|IOERR|BUSY)/;

/** The error as callers of storage know it. */
export function asFault(error: unknown): unknown {
  if (!(error instanceof Database.SqliteError && PASSING.test(error.code))) return error;
  return new Overloaded(`the database can't do it now: ${error.message}`, { cause: error });
}

export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY");
}
