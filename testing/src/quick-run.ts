/** The quick layer runs what needs nothing but Node: SQLite, no browser, no PostgreSQL, no other programs. */
export const isQuick = process.env.TANDEM_TESTS === "quick";

/** Thrown to a test that the quick layer leaves out; the runner makes a skip of it. */
export class NotInQuickRunError extends Error {
  override readonly name = "NotInQuickLayerError";
}

/** Call this before anything starts that the quick layer does without. */
export function leaveOutOfQuickRun(what: string): void {
  if (isQuick) throw new NotInQuickRunError(`${what} is left out of the quick layer`);
}
