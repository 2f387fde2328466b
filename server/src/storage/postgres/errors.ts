import { Overloaded } from "../storage.ts";

/** SQLSTATEs of conflicts with concurrent transactions, which a retry may not meet. */
const retryable = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "23503", // a referenced row was deleted concurrently
  "23505", // the same row was inserted concurrently
]);

/** SQLSTATE classes and error codes of a database that is unreachable or temporarily can't serve. */
const unavailable = [
  /^08/, // connection failure
  /^25006$/, // read-only: a former primary
  /^25P03$/, // idle-in-transaction timeout
  /^53/, // out of disk space, memory or connections
  /^55P03$|^57014$/, // the administrator's lock or statement timeout
  /^57P0/, // shutting down, crashed or starting
  /^58030$/, // I/O error
  /^E(CONN(REFUSED|RESET|ABORTED)|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)$/,
];

/** Messages of node-postgres for the same, because these errors have no code. */
const unavailableMessage = /connection terminated|timeout exceeded|read timeout|not queryable/i;

/** Whether it failed only because of concurrent transactions on the same rows. */
export function isContention(error: unknown): boolean {
  return /^40/.test(codeOf(error));
}

export function isRetryable(error: unknown): boolean {
  return retryable.has(codeOf(error));
}

/** Converts errors of an unavailable database to `Overloaded`; returns other errors unchanged. */
export function asOverloaded(error: unknown): unknown {
  return isUnavailable(error) ? new Overloaded("The database is unavailable", { cause: error }) : error;
}

/** Whether the database is unreachable or temporarily can't serve. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Overloaded) return false;
  const code = codeOf(error);
  const message = String((error as Error)?.message);
  return unavailable.some((pattern) => pattern.test(code)) || unavailableMessage.test(message);
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
