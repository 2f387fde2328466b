import { type ErrorCode, errors } from "@tandem/contract/errors";
import { docsOf } from "@tandem/contract/hints";
import type { ErrorBody, FieldError } from "@tandem/contract/resources";
import { whereToLook } from "./where-to-look.ts";

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
  /** Every invalid field; only `field` if left out. */
  errors?: readonly FieldError[];
  /** Whether the field's value breaks its schema, so that the hint describes what that accepts. False if a rule refused a valid value. */
  breaksSchema?: boolean;
  /** What doesn't exist, such as `post`; see `missing-field.ts`. */
  missing?: string | undefined;
  /** Seconds until a retry makes sense. */
  retryAfter?: number;
  /** The quotas that were exceeded. */
  quotas?: QuotaState[];
  /** What to do next, if what fits the code in general would mislead. */
  hint?: string | undefined;
  /** Logged, never sent. */
  cause?: unknown;
}

/** An expected error: a code from the contract and a message. Thrown anywhere; `errors.ts` turns it into a response. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  /** The first invalid field. */
  readonly field: string | undefined;
  readonly errors: readonly FieldError[];
  readonly breaksSchema: boolean;
  readonly retryAfter: number | undefined;
  readonly quotas: QuotaState[] | undefined;
  readonly hint: string | undefined;
  readonly missing: string | undefined;

  constructor(code: ErrorCode, message: string = errors[code].description, details: Details = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.field = details.field;
    this.errors =
      details.errors ?? (details.field === undefined ? [] : [{ field: details.field, code, error: message }]);
    this.breaksSchema = details.breaksSchema ?? false;
    this.retryAfter = details.retryAfter;
    this.quotas = details.quotas;
    this.hint = details.hint;
    this.missing = details.missing;
  }

  /** The same error, about this field. */
  about(field: string): ApiError {
    const { code, message, hint, cause } = this;
    return new ApiError(code, message, { field, hint, cause });
  }

  get status(): number {
    return errors[this.code].status;
  }

  /** The body that the client receives. */
  toBody(baseUrl: string, hint: string): ErrorBody {
    const { message: error, code, field, errors } = this;
    const invalid = field !== undefined;
    return {
      error,
      code,
      ...(invalid && { field }),
      hint,
      docs: docsOf(baseUrl, code),
      ...(invalid && { errors: [...errors] }),
    };
  }
}

/** One error for several invalid fields. Throws nothing if there are none. */
export function throwFieldErrors(errors: readonly FieldError[], breaksSchema = false): void {
  const [first] = errors;
  if (first) throw new ApiError(first.code, first.error, { field: first.field, errors, breaksSchema });
}

/**
 * Runs checks of different fields one after another and throws one error for all that failed. An error that isn't about a field ends
 * it, unless a field was invalid already.
 */
export async function checkFields(...checks: (() => unknown)[]): Promise<void> {
  const errors: FieldError[] = [];
  for (const check of checks) {
    try {
      await check();
    } catch (error) {
      if (!(error instanceof ApiError) || (error.field === undefined && errors.length === 0)) throw error;
      errors.push(...error.errors);
    }
  }
  throwFieldErrors(errors);
}

export function notFound(what: string, message = `There is no such ${what}.`): ApiError {
  return new ApiError("not_found", message, { hint: whereToLook(what), missing: what });
}

export function invalid(field: string, message: string): ApiError {
  return new ApiError("invalid_input", message, { field });
}
