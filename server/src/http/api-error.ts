import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf } from "@tandem/contract/hints";
import type { ErrorBody } from "@tandem/contract/resources";

/** The state of a quota. `reset` is the time until the window ends, in whole seconds, rounded up. */
export interface QuotaState {
  name: string;
  limit: number;
  remaining: number;
  reset: number;
  seconds: number;
}

interface Details {
  field?: string | undefined;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  /** The quotas that were exceeded. */
  quotas?: QuotaState[];
  /** What to do next, if what fits the code in general would mislead. */
  hint?: string;
  /** Logged, never sent. */
  cause?: unknown;
}

/** An expected error: a code from the contract and a message. Thrown anywhere; `errors.ts` turns it into a response. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly quotas: QuotaState[] | undefined;
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string = errors[code].description, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.quotas = details.quotas;
    this.hint = details.hint;
  }

  get status(): number {
    return errors[this.code].status;
  }

  /** The body that the client receives. */
  toBody(baseUrl: string, hint: string): ErrorBody {
    const { message: error, code, field } = this;
    return { error, code, ...(field !== undefined && { field }), hint, docs: docsOf(baseUrl, code) };
  }
}

export function notFound(what: string): ApiError {
  return new ApiError("not_found", `There is no such ${what}.`);
}

export function invalid(field: string, message: string): ApiError {
  return new ApiError("invalid_input", message, { field });
}
