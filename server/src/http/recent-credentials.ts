/** The most credentials that a process remembers: about a megabyte. */
const SIZE = 10_000;

/** Hashes of the credentials that were used last and were live. Tells accounts from strangers while the service is busy. */
export class RecentCredentials {
  /** In order of last use. */
  readonly #live = new Set<string>();

  note(hash: string, isLive: boolean): void {
    this.#live.delete(hash);
    if (!isLive) return;
    this.#live.add(hash);
    if (this.#live.size <= SIZE) return;
    const [oldest = ""] = this.#live;
    this.#live.delete(oldest);
  }

  has(hash: string): boolean {
    return this.#live.has(hash);
  }
}
