import { MINUTE } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import { fetchFollowingRedirects } from "../../crawl/follow-redirects.ts";
import { HostThrottle } from "../../crawl/host-throttle.ts";
import { MAX_WAIT, pauseIfAsked } from "../../crawl/visit.ts";
import { ApiError } from "../../http/api-error.ts";
import { isDenied } from "../../http/denied-links.ts";
import type { Services } from "../../http/services.ts";
import { FairQueue } from "../../media/fair-queue.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";

/** Downloads at a time in this process; each may take as much memory as the largest picture. */
const AT_ONCE = 8;
/** Downloads that wait for their turn. */
const MAX_WAITING = 256;
/** Requests to one host at a time; fewer than a browser sends. */
const PER_HOST = 4;
/** Seconds that one response may take, and may take without a byte. */
export const TIMEOUTS = { seconds: 10, idle: 5 };
/** Milliseconds that a download may take with all its redirects and waits. */
const LONGEST = MINUTE / 2;

/** Prefers formats that are quick to decode. */
const ACCEPT = "image/webp,image/jpeg,image/png,image/gif;q=0.8,image/avif;q=0.5";

/** The host has no such picture, or doesn't give it to us now. */
export class PictureMissing extends Error {
  /** Whether a later attempt may succeed. */
  readonly isTemporary: boolean;

  constructor(status: number) {
    super(`The host responded with status ${status}.`);
    this.isTemporary = status === 408 || status === 429 || status >= 500;
  }
}

/** Downloads pictures: few at a time, clients in fair turns, and few from each host. */
export class Downloads {
  readonly #services: Services;
  readonly #timeouts: typeof TIMEOUTS;
  readonly #hosts = new HostThrottle(0);
  readonly #turns = new FairQueue(MAX_WAITING);
  #next = 0;

  constructor(services: Services, timeouts: typeof TIMEOUTS) {
    this.#services = services;
    this.#timeouts = timeouts;
  }

  /** Throws {@link PictureMissing}, `OutgoingError`, or `overloaded` if it couldn't begin in time. */
  async download(address: string, stopped: AbortSignal): Promise<Buffer> {
    const { outgoing, storage } = this.#services;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(LONGEST)]);
    const lane = this.#next++ % PER_HOST;
    const request = { ...this.#timeouts, headers: { accept: ACCEPT }, maxBytes: limits.imageBytes, signal };
    const fetching = (async () => {
      const { status, bytes } = await fetchFollowingRedirects(
        outgoing,
        new URL(address),
        request,
        async (url, send) => {
          if (await isDenied(storage.read, url.href))
            throw new OutgoingError("forbidden_address", "Moderators blocked the domain.");
          const inTurn = () => this.#turns.run(AT_ONCE, busy, send);
          const response = await this.#hosts.run(laneOf(url.host, lane), signal, inTurn, {
            maxWait: MAX_WAIT,
          });
          for (let i = 0; i < PER_HOST; i++)
            pauseIfAsked(response, this.#hosts, laneOf(url.host, i), this.#services.now());
          return response;
        },
      );
      if (status !== 200) throw new PictureMissing(status);
      return bytes;
    })();
    return untilAborted(fetching, signal);
  }
}

/** Rejects with `overloaded` as soon as the signal aborts, even if the work waits for something else. */
function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(busy()), { once: true });
    if (signal.aborted) reject(busy());
    work.then(resolve, reject);
  });
}

const laneOf = (host: string, lane: number) => `${host} ${lane}`;

function busy(): ApiError {
  return new ApiError("overloaded", "Too many pictures are being fetched.", { retryAfter: 5 });
}
