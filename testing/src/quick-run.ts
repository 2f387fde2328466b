/** A quick run includes only what needs just Node.js: SQLite, no browser, no PostgreSQL, no other programs. */
export const isQuick = process.env.TANDEM_TESTS === "quick";

/** Thrown in tests that a quick run leaves out; the runner skips them. */
export class NotInQuickRunError extends Error {
  override readonly name = "NotInQuickRunError";
}

/** Call this before starting anything that a quick run does without. */
export function leaveOutOfQuickRun(what: string): void {
  if (isQuick) throw new NotInQuickRunError(`${what} is left out of a quick run`);
}
