import { TandemError } from "@tandem/client";

/** Whether something failed for a reason that may be gone at the next attempt, such as overload. */
export function isPassing(error: unknown): boolean {
  const status = error instanceof TandemError ? error.status : 0;
  return status < 400 || status === 429 || status >= 500;
}
