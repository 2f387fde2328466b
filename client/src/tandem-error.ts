import type { PendingResponse } from "@tandem/contract/drafts";
import type { ErrorCode } from "@tandem/contract/errors";
import type { ErrorBody, FieldError } from "@tandem/contract/resources";

interface Details {
  /** Seconds. */
  retryAfter?: number | undefined;
  requestId?: string | null;
  cause?: unknown;
}

/** The body of an error response, or its equivalent if there was none. */
export type ErrorResponse = Omit<ErrorBody, "code"> & { code: TandemError["code"] };

/** A failed call: the service returned an error, or there was no response. */
export class TandemError extends Error {
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /**
   * A code from the contract; `unreachable` if there was no response, or if it didn't come from the service;
   * `pending_approval` for a {@link PendingApproval}.
   */
  readonly code: ErrorCode | "unreachable" | "pending_approval";
  /** The first invalid field, if any. */
  readonly field: string | undefined;
  /** Every invalid field. */
  readonly errors: readonly FieldError[];
  /** What to do next. */
  readonly hint: string | undefined;
  /** The URL of the code's documentation. */
  readonly docs: string | undefined;
  /** Seconds to wait before retrying, if the response said so. */
  readonly retryAfter: number | undefined;
  /** The request's id, which the server's log contains too; null if there was no response. */
  readonly requestId: string | null;

  constructor(
    status: number,
    { error, code, field, errors = [], hint, docs }: ErrorResponse,
    details: Details = {},
  ) {
    super(error, { cause: details.cause });
    this.name = "TandemError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.errors = errors;
    this.hint = hint;
    this.docs = docs;
    this.retryAfter = details.retryAfter;
    this.requestId = details.requestId ?? null;
  }
}

/**
 * Thrown when the service responds with 202: the key's owner must approve the call first. Nothing is published yet, so there is
 * no post or comment to return. Don't send the call again.
 */
export class PendingApproval extends TandemError {
  /** The draft that waits for approval. In a dry run that would create it, a placeholder. */
  readonly draftId: number;
  /** What approving the draft performs. */
  readonly operation: PendingResponse["pending"]["operation"];

  constructor({ draftId, operation, message }: PendingResponse["pending"], details: Details = {}) {
    super(202, { error: message, code: "pending_approval" }, details);
    this.name = "PendingApproval";
    this.draftId = draftId;
    this.operation = operation;
  }
}

/** The result of a call, as a value. */
export type Outcome<T> = { ok: true; response: T } | { ok: false; error: TandemError };

/**
 * Returns a {@link TandemError} as a value instead of throwing it: `const { ok, … } = await outcome(tandem.likePost({ id }))`.
 * Other errors, such as an abort, are still thrown.
 */
export async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, response: await call };
  } catch (error) {
    if (error instanceof TandemError) return { ok: false, error };
    throw error;
  }
}
