import { limits } from "@tandem/contract/limits";
import { fetchFollowingRedirects } from "../../crawl/follow-redirects.ts";
import { HostThrottle } from "../../crawl/host-throttle.ts";
import { MAX_WAIT } from "../../crawl/visit.ts";
import { ApiError } from "../../http/api-error.ts";
import { isDenied } from "../../http/denied-links.ts";
import type { Services } from "../../http/services.ts";
import { FairQueue } from "../../media/fair-queue.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";

/**
 * Pictures that this process downloads and draws at a time. Each may take as much memory as the largest picture. It is a small part
 * of the decoders' queue, so that readers leave room for uploads.
 */
const AT_ONCE = 8;
/** Downloads that wait for their turn. */
const MAX_WAITING = 256;
/** Requests to one host at a time; fewer than a browser sends. */
const PER_HOST = 4;
/** Seconds that a host may take, that it may take without a byte, and that all redirects and waits may take. */
export const TIMEOUTS = { seconds: 10, idle: 5, total: 30 };

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

type Stage = "waiting" | "requesting" | "drawing";

/** Downloads and draws pictures: few at a time, clients in fair turns, and few from each host. */
export class Downloads {
  readonly #services: Services;
  readonly #timeouts: typeof TIMEOUTS;
  readonly #hosts: HostThrottle;
  readonly #turns = new FairQueue(MAX_WAITING);
  #next = 0;

  constructor(services: Services, timeouts: typeof TIMEOUTS) {
    this.#services = services;
    this.#timeouts = timeouts;
    this.#hosts = new HostThrottle(services, 0);
  }

  /**
   * Downloads the picture and passes it to `draw`, which is part of the download's turn: so pictures don't pile up before the decoders.
   * Throws {@link PictureMissing}, `OutgoingError`, `overloaded` if no request could begin in time, and what `draw` throws.
   */
  async download<T>(address: string, stopped: AbortSignal, draw: (bytes: Buffer) => Promise<T>): Promise<T> {
    const { outgoing, storage } = this.#services;
    const { total, ...timeouts } = this.#timeouts;
    const signal = AbortSignal.any([stopped, AbortSignal.timeout(total * 1000)]);
    const lane = this.#next++ % PER_HOST;
    const request = { ...timeouts, headers: { accept: ACCEPT }, maxBytes: limits.imageBytes, signal };
    const drawn: T[] = [];
    const progress: { stage: Stage } = { stage: "waiting" };
    const fetching = (async () => {
      const { status } = await fetchFollowingRedirects(
        outgoing,
        new URL(address),
        request,
        async (url, send) => {
          if (await isDenied(storage.read, url.href))
            throw new OutgoingError("forbidden_address", "Moderators blocked the domain.");
          const sendAndDraw = async () => {
            progress.stage = "requesting";
            const response = await send();
            signal.throwIfAborted();
            if (response.next === null && response.status === 200) {
              progress.stage = "drawing";
              drawn.push(await draw(response.bytes));
            }
            return response;
          };
          const inTurn = () => this.#turns.run(AT_ONCE, busy, sendAndDraw);
          const pace = { maxWait: MAX_WAIT, lane: `${url.host} ${lane}` };
          return this.#hosts.run(url.host, signal, inTurn, pace);
        },
      );
      const [picture] = drawn;
      if (picture === undefined) throw new PictureMissing(status);
      return picture;
    })();
    return new Promise((resolve, reject) => {
      // At once, even if the work waits for something else. Drawing goes on: it has a limit of its own.
      const giveUp = () => {
        if (progress.stage === "drawing") return;
        const isLate = progress.stage === "requesting" && !stopped.aborted;
        reject(isLate ? new OutgoingError("too_slow", "The hosts took too long.") : busy());
      };
      signal.addEventListener("abort", giveUp, { once: true });
      if (signal.aborted) giveUp();
      fetching.then(resolve, reject);
    });
  }
}

function busy(): ApiError {
  return new ApiError("overloaded", "Too many pictures are being fetched.", { retryAfter: 5 });
}
