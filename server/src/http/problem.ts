import { type ErrorCode, errors } from "@tandem/contract/errors";
import type { ErrorBody } from "@tandem/contract/resources";

interface Details {
  field?: string | undefined;
  /** Whole seconds until another try makes sense. */
  retryAfter?: number;
  /** For the log alone. */
  cause?: unknown;
}

/** An expected refusal: a code of the contract's table, told in a sentence. Thrown anywhere, answered in one place. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string = errors[code].says, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
  }

  get status(): number {
    return errors[this.code].status;
  }

  /** What the client is shown (spec: Errors). */
  get body(): ErrorBody {
    const { message: error, code, field } = this;
    return field === undefined ? { error, code } : { error, code, field };
  }
}

export function notFound(what: string): Problem {
  return new Problem("not_found", `There is no such ${what}.`);
}

export function invalid(field: string, message: string): Problem {
  return new Problem("invalid_input", message, { field });
}
