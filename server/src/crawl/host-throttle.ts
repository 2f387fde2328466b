import { setTimeout as sleep } from "node:timers/promises";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

interface Lane {
  /** Resolves when all earlier requests to the host are done. */
  tail: Promise<void>;
  waiting: number;
  /** The earliest time of the next request, on the clock of `performance.now()`. */
  freeAt: number;
}

/** When more hosts than this are known, those without requests or pauses are forgotten. */
const MAX_IDLE_HOSTS = 1000;

/** Thrown if a host can't be requested within the caller's maximum wait. */
export class HostBusyError extends OutgoingError {
  /** Milliseconds until the host is free. */
  readonly wait: number;

  constructor(wait: number) {
    super("unreachable", "The host is busy. Try again later.");
    this.wait = wait;
  }
}

export interface ThrottleOptions {
  /** Minimum milliseconds between this request and the next, if the host asks for more than the default. */
  spacing?: number;
  /** Maximum milliseconds to wait for the host. If the wait is longer, {@link HostBusyError} is thrown. */
  maxWait?: number;
}

/** Sends requests to each host one at a time, with a pause after each. */
export class HostThrottle {
  readonly #lanes = new Map<string, Lane>();
  readonly #spacing: number;

  /** @param spacing milliseconds between the end of one request to a host and the next */
  constructor(spacing: number) {
    this.#spacing = spacing;
  }

  /** The estimated milliseconds that a request to the host would wait. */
  waitTime(host: string): number {
    const lane = this.#lanes.get(host);
    return lane ? Math.max(0, lane.freeAt - performance.now()) + lane.waiting * this.#spacing : 0;
  }

  /** Sends no request to the host for this many milliseconds. */
  pause(host: string, milliseconds: number): void {
    const lane = this.#laneOf(host);
    lane.freeAt = Math.max(lane.freeAt, performance.now() + milliseconds);
  }

  /** Runs `work`, which sends one request to the host, as soon as the host is free. */
  async run<T>(
    host: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    { spacing = 0, maxWait = Number.POSITIVE_INFINITY }: ThrottleOptions = {},
  ): Promise<T> {
    const lane = this.#laneOf(host);
    const previous = lane.tail;
    let leave = () => {};
    lane.tail = new Promise((resolve) => {
      leave = resolve;
    });
    lane.waiting += 1;
    try {
      await previous;
      const wait = lane.freeAt - performance.now();
      if (wait > Math.max(maxWait, this.#spacing)) throw new HostBusyError(wait);
      if (wait > 0) await sleep(wait, null, { signal });
      signal.throwIfAborted();
      return await work().finally(() => {
        lane.freeAt = Math.max(lane.freeAt, performance.now() + Math.max(this.#spacing, spacing));
      });
    } finally {
      lane.waiting -= 1;
      leave();
    }
  }

  #laneOf(host: string): Lane {
    const known = this.#lanes.get(host);
    if (known) return known;
    if (this.#lanes.size >= MAX_IDLE_HOSTS) this.#forgetIdle();
    const lane = { tail: Promise.resolve(), waiting: 0, freeAt: 0 };
    this.#lanes.set(host, lane);
    return lane;
  }

  #forgetIdle(): void {
    const now = performance.now();
    for (const [host, { waiting, freeAt }] of this.#lanes)
      if (waiting === 0 && freeAt <= now) this.#lanes.delete(host);
  }
}
