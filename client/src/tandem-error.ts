import type { ErrorCode } from "@tandem/contract/errors";
import type { ErrorBody } from "@tandem/contract/resources";

interface Details {
  /** Seconds. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** The body of an error, or what stands for one where no answer came. */
export type Refusal = Omit<ErrorBody, "code"> & { code: TandemError["code"] };

/** A call that came to no success: refused (spec: Errors), or never answered. */
export class TandemError extends Error {
  /** 0 where no answer came. */
  readonly status: number;
  /** A code of the contract's table; `unreachable` where no answer came, or one that isn't the service's. */
  readonly code: ErrorCode | "unreachable";
  /** The field that offends, where one does. */
  readonly field: string | undefined;
  /** The way out, in a sentence. */
  readonly hint: string | undefined;
  /** Where the code is explained. */
  readonly docs: string | undefined;
  /** Seconds to wait, where waiting helps. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { error, code, field, hint, docs }: Refusal, details: Details = {}) {
    super(error, { cause: details.cause });
    this.name = "TandemError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.hint = hint;
    this.docs = docs;
    this.retryAfter = details.retryAfter;
  }
}

/** What a call came to, as a value. */
export type Outcome<T> = { ok: true; answer: T } | { ok: false; error: TandemError };

/**
 * Makes a value of what a call would throw: `const { ok, … } = await outcome(tandem.likePost({ id }))`. What is no
 * {@link TandemError}, such as the reason of an abort, is thrown on.
 */
export async function outcome<T>(call: Promise<T>): Promise<Outcome<T>> {
  try {
    return { ok: true, answer: await call };
  } catch (error) {
    if (error instanceof TandemError) return { ok: false, error };
    throw error;
  }
}
