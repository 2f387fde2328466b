/** Why nothing came of a request. */
export const outgoingReasons = [
  "bad_address",
  "forbidden_address",
  "unknown_host",
  "unreachable",
  "too_slow",
  "too_large",
  "too_many_redirects",
  "bad_answer",
] as const;

export type OutgoingReason = (typeof outgoingReasons)[number];

/** Nothing came of a request. Its message is one sentence, and says nothing of where names of this network lead. */
export class OutgoingError extends Error {
  readonly reason: OutgoingReason;

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}
