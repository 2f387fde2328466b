import { AsyncLocalStorage } from "node:async_hooks";

interface Log {
  error(facts: object, message: string): void;
}

/** Work that starts after a request's transaction and that no response waits for. */
export class AfterResponse {
  readonly #log: Log;
  readonly #running = new Map<string, Promise<void>>();
  readonly #again = new Set<string>();
  /** Runs a function outside of any request's context: its decoding would count for the person who made the request. */
  readonly #outside = AsyncLocalStorage.snapshot();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * Starts the work. Of each name, one runs at a time; calls during a run lead to one more run. Errors are logged, so the
   * work must be something that a background job retries.
   */
  run(name: string, work: () => Promise<void>): void {
    this.#again.add(name);
    if (!this.#running.has(name))
      this.#running.set(
        name,
        this.#outside(() => this.#work(name, work)),
      );
  }

  async #work(name: string, work: () => Promise<void>): Promise<void> {
    while (this.#again.delete(name))
      await work().catch((err) => this.#log.error({ err, work: name }, "work after a response failed"));
    this.#running.delete(name);
  }

  /** Resolves once no work is in progress. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }
}
