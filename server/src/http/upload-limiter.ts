import { limits } from "@tandem/contract/limits";
import { ApiError } from "./api-error.ts";

/** Seconds to wait when too many uploads are in progress. */
const RETRY_AFTER = 5;

/** An account id, or the IP address of an anonymous client. */
type Holder = string | number;

interface HolderState {
  /** Uploads being received, processed or waiting to be processed. */
  active: number;
  working: number;
  waiting: (() => void)[];
}

/** Limits concurrent uploads in this process, in total and per client: each may take some hundred megabytes of disk. */
export class UploadLimiter {
  #active = 0;
  readonly #holders = new Map<Holder, HolderState>();

  /** Counts an upload while `work` runs. Throws `overloaded` if there are too many, in total or for this client. */
  async during<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const state = this.#holders.get(holder) ?? { active: 0, working: 0, waiting: [] };
    if (this.#active >= limits.formsAtOnce || state.active >= limits.formsPerCallerAtOnce)
      throw new ApiError("overloaded", "Too many uploads are in progress.", { retryAfter: RETRY_AFTER });
    this.#holders.set(holder, state);
    this.#active += 1;
    state.active += 1;
    try {
      return await work();
    } finally {
      this.#active -= 1;
      state.active -= 1;
      if (state.active === 0) this.#holders.delete(holder);
    }
  }

  /**
   * Processes a received upload, few at a time per client: a client that sends many files delays only its own.
   */
  async inTurn<T>(holder: Holder, work: () => Promise<T>): Promise<T> {
    const state = this.#holders.get(holder);
    if (!state) throw new Error("call during() first");
    if (state.working < limits.formsPerCallerProcessed) state.working += 1;
    else await new Promise<void>((resume) => state.waiting.push(resume));
    try {
      return await work();
    } finally {
      // The next one waiting takes over this place.
      const next = state.waiting.shift();
      if (next) next();
      else state.working -= 1;
    }
  }
}
