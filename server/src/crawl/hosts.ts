import { setTimeout as pause } from "node:timers/promises";
import { OutgoingError } from "../outgoing/outgoing-error.ts";

interface Lane {
  /** Resolves when all that was there before has been asked. */
  tail: Promise<void>;
  waiting: number;
  /** When the next may be asked, in milliseconds of this process's clock. */
  free: number;
}

/** So many hosts are remembered before those that are left alone anyway are forgotten. */
const REMEMBERED = 1000;

/** A host is left alone, or asked by others, for so many milliseconds yet. */
export class Busy extends OutgoingError {
  readonly wait: number;

  constructor(wait: number) {
    super("unreachable", "The host is busy.");
    this.wait = wait;
  }
}

export interface Turn {
  /** Milliseconds between this request and the next, where the host asks for more than usual. */
  spacing?: number;
  /** Milliseconds for which it is worth waiting in one go; else {@link Busy} is thrown. */
  patience?: number;
}

/** Sees to it that one host is asked for one thing at a time, with a pause before the next. */
export class Hosts {
  readonly #lanes = new Map<string, Lane>();
  readonly #spacing: number;

  /** @param spacing milliseconds between the end of one request to a host and the next */
  constructor(spacing: number) {
    this.#spacing = spacing;
  }

  /** About how many milliseconds a request to that host would wait. */
  waitFor(host: string): number {
    const lane = this.#lanes.get(host);
    return lane ? Math.max(0, lane.free - performance.now()) + lane.waiting * this.#spacing : 0;
  }

  /** Leaves a host alone for so many milliseconds. */
  rest(host: string, milliseconds: number): void {
    const lane = this.#laneOf(host);
    lane.free = Math.max(lane.free, performance.now() + milliseconds);
  }

  /** Does the work when it is its turn. */
  async inTurn<T>(
    host: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    { spacing = 0, patience = Number.POSITIVE_INFINITY }: Turn = {},
  ): Promise<T> {
    const lane = this.#laneOf(host);
    const before = lane.tail;
    let leave = () => {};
    lane.tail = new Promise((resolve) => {
      leave = resolve;
    });
    lane.waiting += 1;
    try {
      await before;
      const wait = lane.free - performance.now();
      if (wait > Math.max(patience, this.#spacing)) throw new Busy(wait);
      if (wait > 0) await pause(wait, null, { signal });
      signal.throwIfAborted();
      return await work().finally(() => {
        lane.free = Math.max(lane.free, performance.now() + Math.max(this.#spacing, spacing));
      });
    } finally {
      lane.waiting -= 1;
      leave();
    }
  }

  #laneOf(host: string): Lane {
    const known = this.#lanes.get(host);
    if (known) return known;
    if (this.#lanes.size >= REMEMBERED) this.#forget();
    const lane = { tail: Promise.resolve(), waiting: 0, free: 0 };
    this.#lanes.set(host, lane);
    return lane;
  }

  #forget(): void {
    const now = performance.now();
    for (const [host, { waiting, free }] of this.#lanes)
      if (waiting === 0 && free <= now) this.#lanes.delete(host);
  }
}
