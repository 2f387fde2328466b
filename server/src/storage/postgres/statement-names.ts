import { createHash } from "node:crypto";

/**
 * The most statements that are prepared. The server keeps each as long as its connection lasts, and feed filters can be
 * combined into more statements than fit into memory. Statements beyond the limit are planned on each execution.
 */
export const MAX_NAMES = 500;

/** The names of prepared statements, shared by all connections to a database. */
export class StatementNames {
  readonly #names = new Map<string, string>();

  /** The statement's name, which is the same in every process; undefined for new statements beyond MAX_NAMES. */
  of(text: string): string | undefined {
    const existing = this.#names.get(text);
    if (existing || this.#names.size >= MAX_NAMES) return existing;
    const name = createHash("sha1").update(text).digest("base64url");
    this.#names.set(text, name);
    return name;
  }
}
