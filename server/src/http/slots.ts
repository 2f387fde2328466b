import { limits } from "@tandem/contract/limits";
import { Problem } from "./problem.ts";

/** Seconds until it makes sense to try again where too many forms are being read. */
const RETRY_AFTER = 5;

/** Counts forms that a process is reading or working on, of all routes: each may fill some hundred megabytes of the disk. */
export class Slots {
  #taken = 0;
  readonly #byHolder = new Map<string | number, number>();

  /** Takes one for as long as the work lasts. Throws `overloaded` where there are too many, of all or of one holder. */
  async during<T>(holder: string | number, work: () => Promise<T>): Promise<T> {
    const own = this.#byHolder.get(holder) ?? 0;
    if (this.#taken >= limits.formsAtOnce || own >= limits.formsPerCallerAtOnce)
      throw new Problem("overloaded", "Too many uploads are under way.", { retryAfter: RETRY_AFTER });
    this.#count(holder, 1);
    try {
      return await work();
    } finally {
      this.#count(holder, -1);
    }
  }

  #count(holder: string | number, change: 1 | -1): void {
    this.#taken += change;
    const now = (this.#byHolder.get(holder) ?? 0) + change;
    if (now > 0) this.#byHolder.set(holder, now);
    else this.#byHolder.delete(holder);
  }
}
