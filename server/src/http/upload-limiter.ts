import { limits } from "@tandem/contract/limits";
import { ApiError } from "./api-error.ts";

/** Seconds to wait when too many uploads are in progress. */
const RETRY_AFTER = 5;

/** An account id, or the IP address of an anonymous client. */
type Holder = string | number;

interface HolderState {
  /** Uploads being received, processed or waiting to be processed. */
  taken: number;
  working: number;
  waiting: (() => void)[];
}

/** Limits concurrent uploads in this process, in total and per client: each may take some hundred megabytes of disk. */
export class UploadLimiter {
  #taken = 0;
  readonly #holders = new Map<Holder, HolderState>();

  /** Counts an upload while `work` runs. Throws `overloaded` if there are too many, in total or for this client. */
  async during<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const held = this.#holders.get(holder) ?? { taken: 0, working: 0, waiting: [] };
    if (this.#taken >= limits.formsAtOnce || held.taken >= limits.formsPerCallerAtOnce)
      throw new ApiError("overloaded", "Too many uploads are in progress.", { retryAfter: RETRY_AFTER });
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
   * Processes a received upload, few at a time per client: a client that sends many files delays only its own.
   */
  async inTurn<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const held = this.#holders.get(holder);
    if (!held) throw new Error("call during() first");
    if (held.working < limits.formsPerCallerWorkedOn) held.working += 1;
    else await new Promise<void>((go) => held.waiting.push(go));
    try {
      return await work();
    } finally {
      // The next one waiting takes over this place.
      const next = held.waiting.shift();
      if (next) next();
      else held.working -= 1;
    }
  }
}
