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

/** No such database, user, password or right: for the operator to mend. */
const refused = /^(28...|3D000|42501|0A000|58P01)$/;

/** Whether the database can't be used as it is set up, as opposed to a fault of ours. */
export function isRefusal(error: unknown): boolean {
  return refused.test(codeOf(error)) || isUnavailable(error);
}

/** The error in the service's own terms, where it says that the database is away; else as it is. */
export function asOurs(error: unknown): unknown {
  return isUnavailable(error) ? new Overloaded("the database went away", { cause: error }) : error;
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof Overloaded) return false;
  return (
    away.test(codeOf(error)) ||
    /connection terminated|timeout exceeded/i.test(String((error as Error)?.message))
  );
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code ?? "");
}
