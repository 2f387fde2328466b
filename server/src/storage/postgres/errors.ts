import { Overloaded } from "../storage.ts";

/** SQLSTATE of failures that a second try may not meet: others were at the same rows at the same time. */
const passing = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "23503", // what was found a moment ago is gone
  "23505", // what was not there a moment ago is there
]);

/** SQLSTATE classes and codes that say that no database is there to answer, or none that can do it now. */
const away = [
  /^08/, // the connection failed
  /^25006$/, // a primary that no longer is one: it only reads
  /^25P03$/, // the server ended a transaction in which it heard nothing from us for too long
  /^53/, // no room on the disk, no memory, no connection left
  /^55P03$|^57014$/, // the operator's own limits on waiting and running
  /^57P0/, // it shuts down, crashed, or isn't up yet
  /^58030$/, // the disk fails
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/,
];

/** The same in the words of node-postgres, which gives no code. */
const gone = /connection terminated|timeout exceeded|read timeout|not queryable/i;

/** Whether it failed for no other reason than that others were at the same rows. */
export function isCrowded(error: unknown): boolean {
  return /^40/.test(codeOf(error));
}

export function isWorthRetrying(error: unknown): boolean {
  return passing.has(codeOf(error));
}

/** The error in the service's own terms, where it says that the database is away; else as it is. */
export function asOurs(error: unknown): unknown {
  return isUnavailable(error) ? new Overloaded("the database went away", { cause: error }) : error;
}

/** Whether no database is there to answer. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Overloaded) return false;
  const code = codeOf(error);
  return away.some((one) => one.test(code)) || gone.test(String((error as Error)?.message));
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
