import type { Storage } from "./storage.ts";

export interface KeptOptions<Value> {
  /** The most bytes that are kept: the oldest values make room. */
  mostBytes: number;
  /** The bytes that a value takes, about. */
  sizeOf(value: Value): number;
}

/**
 * What was computed from the database alone, by key, until the next commit of any process: then all is forgotten. Keeps nothing if only a
 * server of the database could tell of commits.
 */
export class KeptUntilCommit<Value extends object> {
  readonly #storage: Pick<Storage, "version">;
  readonly #options: KeptOptions<Value>;
  readonly #values = new Map<string, Value>();
  #bytes = 0;
  #version: number | null = null;

  constructor(storage: Pick<Storage, "version">, options: KeptOptions<Value>) {
    this.#storage = storage;
    this.#options = options;
  }

  /** The key is only asked for if anything is kept. */
  find(key: () => string): Value | undefined {
    if (this.#values.size === 0) return undefined;
    const name = key();
    // Asking for the version begins a transaction, which requests that read nothing shouldn't pay for.
    if (!this.#values.has(name)) return undefined;
    this.#forgetOld();
    return this.#values.get(name);
  }

  /** Keeps a value instead of an earlier one, unless something was committed since this version, which was read before the value was computed. */
  keep(key: string, value: Value, since: number | null): void {
    this.#forgetOld();
    if (since === null || this.#version !== since) return;
    const earlier = this.#values.get(key);
    if (earlier) this.#bytes -= this.#sizeOf(key, earlier);
    this.#values.set(key, value);
    this.#bytes += this.#sizeOf(key, value);
    for (const [oldestKey, oldest] of this.#values) {
      if (this.#bytes <= this.#options.mostBytes) break;
      this.#values.delete(oldestKey);
      this.#bytes -= this.#sizeOf(oldestKey, oldest);
    }
  }

  #sizeOf(key: string, value: Value): number {
    return 2 * key.length + this.#options.sizeOf(value);
  }

  #forgetOld(): void {
    const version = this.#storage.version();
    if (version === this.#version) return;
    this.#version = version;
    this.#values.clear();
    this.#bytes = 0;
  }
}
