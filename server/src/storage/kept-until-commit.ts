export interface KeptOptions<Value> {
  /** The most bytes that are kept: the oldest values make room. */
  mostBytes: number;
  /** The bytes that a value takes, about. */
  sizeOf(value: Value): number;
}

/**
 * What was computed from the database alone, by key, until the next commit of any process: then all is forgotten. Versions are those of
 * `Storage`; for none, nothing is kept.
 */
export class KeptUntilCommit<Value extends object> {
  readonly #options: KeptOptions<Value>;
  readonly #values = new Map<string, Value>();
  #bytes = 0;
  #version = 0;

  constructor(options: KeptOptions<Value>) {
    this.#options = options;
  }

  /** Asks for the key only if anything is kept, and for the present version only if the key is known. */
  find(key: () => string, version: () => number | null): Value | undefined {
    if (this.#values.size === 0) return undefined;
    const name = key();
    // SQLite's version begins a transaction, which requests that read nothing shouldn't pay for.
    return this.#values.has(name) ? this.findAt(name, version()) : undefined;
  }

  /** Finds nothing if the version isn't known. */
  findAt(key: string, version: number | null): Value | undefined {
    if (version === null) return undefined;
    this.#forgetBefore(version);
    return version === this.#version ? this.#values.get(key) : undefined;
  }

  /**
   * Keeps a value instead of an earlier one, under the version that was read before the value was computed. If something was committed
   * meanwhile, only requests that asked for the version before that find it.
   */
  keep(key: string, value: Value, since: number | null): void {
    if (since === null || since < this.#version) return;
    this.#forgetBefore(since);
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

  #forgetBefore(version: number): void {
    if (version <= this.#version) return;
    this.#version = version;
    this.#values.clear();
    this.#bytes = 0;
  }
}
