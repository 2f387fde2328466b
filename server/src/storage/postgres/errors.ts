import { Overloaded } from "../storage.ts";

/** SQLSTATE of failures that a second try may not meet: others were at the same rows at the same time. */
const passing = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "23503", // what was found a moment ago is gone
  "23505", // what was not there a moment ago is there
]);

/** SQLSTATE classes and codes, and network errors, that say that no database is there to answer. */
const away = /^(08...|57P0[123]|53300|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)$/;

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
  return (
    away.test(codeOf(error)) ||
    /connection terminated|not queryable|timeout exceeded/i.test(String((error as Error)?.message))
  );
}

export function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
