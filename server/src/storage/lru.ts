/** A least-recently-used cache of up to `size` values. */
export class Lru<Key, Value extends object> {
  readonly #size: number;
  /** Ordered by last use, because a Map keeps insertion order. */
  readonly #entries = new Map<Key, Value>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The cached value for the key, if there is one. */
  find(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    return value && this.set(key, value);
  }

  /** The cached value for the key, otherwise what `make` returns, which is then cached. */
  get(key: Key, make: () => Value): Value {
    return this.set(key, this.#entries.get(key) ?? make());
  }

  /** Caches a value, and returns it. */
  set(key: Key, value: Value): Value {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#size) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return value;
  }
}
