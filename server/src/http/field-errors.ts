import type { ErrorCode } from "@tandem/contract/errors";
import { limits } from "@tandem/contract/limits";
import type { FieldError } from "@tandem/contract/resources";
import { ApiError, throwFieldErrors } from "./api-error.ts";

/** The invalid fields of a request, in the order in which they were found; each once, with its first error. */
export class FieldErrors {
  readonly #errors = new Map<string, FieldError>();
  #breaksSchema = false;

  /** Whether the error for one more field would be left out. */
  get isFull(): boolean {
    return this.#errors.size >= limits.fieldErrors;
  }

  get isEmpty(): boolean {
    return this.#errors.size === 0;
  }

  add(field: string, error: string, code: ErrorCode = "invalid_input"): void {
    if (!this.isFull && !this.#errors.has(field)) this.#errors.set(field, { field, code, error });
  }

  /** Adds a field whose value breaks its schema. */
  addInvalid(field: string, error: string, code: ErrorCode): void {
    if (this.isEmpty) this.#breaksSchema = true;
    this.add(field, error, code);
  }

  /** Returns what `read` returns, or adds the invalid field that it throws. */
  collect<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof ApiError) || error.field === undefined) throw error;
      this.add(error.field, error.message, error.code);
      return undefined;
    }
  }

  throwIfAny(): void {
    if (!this.isEmpty) throwFieldErrors([...this.#errors.values()], this.#breaksSchema);
  }
}
