/** Why a request failed. */
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

/** A failed request. The message is one sentence and reveals nothing about the internal network. */
export class OutgoingError extends Error {
  readonly reason: OutgoingReason;

  constructor(reason: OutgoingReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** Nothing was sent: the receiver wants no request yet, or can't be requested within the caller's maximum wait. */
export class HostBusyError extends OutgoingError {
  /** Milliseconds until it may be requested. */
  readonly wait: number;

  constructor(wait: number) {
    super("unreachable", "The host is busy. Try again later.");
    this.wait = wait;
  }
}
