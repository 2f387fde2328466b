/** Keeps what was made for the keys used last, that many of them, and forgets the others. */
export class Lru<Key, Value extends object> {
  readonly #size: number;
  /** In the order of their last use, for a Map keeps the order of insertion. */
  readonly #kept = new Map<Key, Value>();

  constructor(size: number) {
    this.#size = size;
  }

  /** What is kept for the key, or else what `make` gives, which is kept from now on. */
  get(key: Key, make: () => Value): Value {
    const value = this.#kept.get(key) ?? make();
    this.#kept.delete(key);
    this.#kept.set(key, value);
    const oldest = this.#kept.keys().next();
    if (this.#kept.size > this.#size && !oldest.done) this.#kept.delete(oldest.value);
    return value;
  }
}
