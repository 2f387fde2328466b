import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf } from "@tandem/contract/hints";
import type { ErrorBody } from "@tandem/contract/resources";

/** How a quota stands. `reset` is in whole seconds to go, never less than what is left of the window. */
export interface QuotaState {
  name: string;
  limit: number;
  remaining: number;
  reset: number;
  seconds: number;
}

interface Details {
  field?: string | undefined;
  /** Whole seconds until another try makes sense. */
  retryAfter?: number;
  /** How the quotas stood that refused it. */
  quotas?: QuotaState[];
  /** For the log alone. */
  cause?: unknown;
}

/** An expected refusal: a code of the contract's table, told in a sentence. Thrown anywhere, answered in one place. */
export class Problem extends Error {
  readonly code: ErrorCode;
  readonly field: string | undefined;
  readonly retryAfter: number | undefined;
  readonly quotas: QuotaState[] | undefined;

  constructor(code: ErrorCode, message: string = errors[code].says, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.retryAfter = details.retryAfter;
    this.quotas = details.quotas;
  }

  get status(): number {
    return errors[this.code].status;
  }

  /** What the client is shown (spec: Errors). */
  shown(baseUrl: string, hint: string): ErrorBody {
    const { message: error, code, field } = this;
    return { error, code, ...(field !== undefined && { field }), hint, docs: docsOf(baseUrl, code) };
  }
}

export function notFound(what: string): Problem {
  return new Problem("not_found", `There is no such ${what}.`);
}

export function invalid(field: string, message: string): Problem {
  return new Problem("invalid_input", message, { field });
}
