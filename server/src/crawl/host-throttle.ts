import { setTimeout as sleep } from "node:timers/promises";
import { notePause, pauseOf } from "../http/retry-after.ts";
import type { Services } from "../http/services.ts";
import type { OutgoingResponse } from "../outgoing/outgoing.ts";
import { HostBusyError } from "../outgoing/outgoing-error.ts";
import { HostClaims } from "./host-claims.ts";

interface Lane {
  /** Resolves when all earlier requests to the host are done. */
  tail: Promise<void>;
  waiting: number;
  /** The earliest time of the next request, on the clock of `performance.now()`. */
  freeAt: number;
}

/** When more hosts than this are known, those without requests or pauses are forgotten. */
const MAX_IDLE_HOSTS = 1000;

export interface ThrottleOptions {
  /** Minimum milliseconds between this request and the next, if the host asks for more than the default. */
  spacing?: number;
  /** Maximum milliseconds to wait for the host. If the wait is longer, {@link HostBusyError} is thrown. */
  maxWait?: number;
  /** Whether only one process at a time may request the host, each after the pause: for what nobody waits for. */
  claim?: boolean;
  /** Requests of one lane are sent one at a time; by default all requests to the host are. */
  lane?: string;
}

/** Sends requests to each host one at a time, with a pause after each, and none while the host wants none (`Retry-After`). */
export class HostThrottle {
  readonly #services: Services;
  readonly #claims: HostClaims;
  readonly #lanes = new Map<string, Lane>();
  readonly #spacing: number;

  /** @param spacing milliseconds between the end of one request to a host and the next */
  constructor(services: Services, spacing: number) {
    this.#services = services;
    this.#claims = new HostClaims(services);
    this.#spacing = spacing;
  }

  /** The estimated milliseconds that a request to the host would wait. */
  waitTime(host: string): number {
    const lane = this.#lanes.get(host);
    return lane ? Math.max(0, lane.freeAt - performance.now()) + lane.waiting * this.#spacing : 0;
  }

  /** Resolves when other processes can see which hosts are free. */
  released(): Promise<void> {
    return this.#claims.released();
  }

  /** Runs `work`, which sends one request to the host, as soon as the host is free. Throws {@link HostBusyError}. */
  async run(
    host: string,
    signal: AbortSignal,
    work: () => Promise<OutgoingResponse>,
    options: ThrottleOptions = {},
  ): Promise<OutgoingResponse> {
    const { maxWait = Number.POSITIVE_INFINITY, lane: name = host } = options;
    const lane = this.#laneOf(name);
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
      // The timer's own error would hide why the signal aborted.
      if (wait > 0) await sleep(wait, null, { signal }).catch(() => signal.throwIfAborted());
      signal.throwIfAborted();
      return await this.#send(host, lane, signal, work, { ...options, maxWait });
    } finally {
      lane.waiting -= 1;
      leave();
    }
  }

  async #send(
    host: string,
    lane: Lane,
    signal: AbortSignal,
    work: () => Promise<OutgoingResponse>,
    { maxWait = 0, spacing = 0, claim = false }: ThrottleOptions,
  ): Promise<OutgoingResponse> {
    if (claim) await this.#claims.claim(host, signal, Math.max(maxWait, this.#spacing));
    else {
      const paused = await pauseOf(this.#services, host);
      if (paused > 0) throw new HostBusyError(paused);
    }
    const pause = Math.max(this.#spacing, spacing);
    try {
      signal.throwIfAborted();
      const response = await work();
      await notePause(this.#services, host, response);
      return response;
    } finally {
      lane.freeAt = Math.max(lane.freeAt, performance.now() + pause);
      if (claim) this.#claims.release(host, pause);
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
