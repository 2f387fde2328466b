import { limits } from "@tandem/contract/limits";
import { Problem } from "./problem.ts";

/** Seconds until it makes sense to try again where too many forms are being read. */
const RETRY_AFTER = 5;

/** An account, or the address of somebody without one. */
type Holder = string | number;

interface Held {
  /** Forms that are being read, worked on or waiting to be. */
  taken: number;
  working: number;
  waiting: (() => void)[];
}

/** Counts forms that a process is reading or working on, of all routes: each may fill some hundred megabytes of the disk. */
export class Slots {
  #taken = 0;
  readonly #holders = new Map<Holder, Held>();

  /** Takes one for as long as the work lasts. Throws `overloaded` where there are too many, of all or of one holder. */
  async during<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const held = this.#holders.get(holder) ?? { taken: 0, working: 0, waiting: [] };
    if (this.#taken >= limits.formsAtOnce || held.taken >= limits.formsPerCallerAtOnce)
      throw new Problem("overloaded", "Too many uploads are under way.", { retryAfter: RETRY_AFTER });
    this.#holders.set(holder, held);
    this.#taken += 1;
    held.taken += 1;
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      held.taken -= 1;
      if (held.taken === 0) this.#holders.delete(holder);
    }
  }

  /**
   * Does the work on a form that has been read, for a holder of a slot: of one holder few at a time, the others in their
   * turn, so that whoever sends many files keeps none but their own waiting.
   */
  async inTurn<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const held = this.#holders.get(holder);
    if (!held) throw new Error("who works on a form holds a slot");
    if (held.working < limits.formsPerCallerWorkedOn) held.working += 1;
    else await new Promise<void>((go) => held.waiting.push(go));
    try {
      return await work();
    } finally {
      // Who waits gets the place itself.
      const next = held.waiting.shift();
      if (next) next();
      else held.working -= 1;
    }
  }
}
