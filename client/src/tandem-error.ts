import type { ErrorCode } from "@tandem/contract/errors";
import type { ErrorBody } from "@tandem/contract/resources";

/** An answer that is no success (spec: Errors). */
export class TandemError extends Error {
  readonly status: number;
  readonly code: ErrorCode;
  /** The field that offends, where one does. */
  readonly field: string | undefined;
  /** Seconds to wait, where waiting helps. */
  readonly retryAfter: number | undefined;

  constructor(status: number, { error, code, field }: ErrorBody, retryAfter: string | null) {
    super(error);
    this.name = "TandemError";
    this.status = status;
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter === null ? undefined : Number(retryAfter);
  }
}
