import { TandemError } from "./tandem-error.ts";

export interface Patience {
  /** Seconds that may be spent waiting, all in all. */
  maxWait: number;
  /** Whether the request may be sent again though nobody knows whether it was carried out. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** So often a request is sent again for nothing but hope: when nobody answers, or nobody says when to come back. */
const MAX_BLIND_RETRIES = 5;
/** Seconds, of the first pause and of the longest. */
const SHORT = 0.25;
const LONG = 8;
/** Milliseconds that a timer can run; one that should run longer is over at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Tries until it succeeds, waiting in between as told; throws what no waiting mends, and at once what would take too long. */
export async function patiently<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  let left = patience.maxWait;
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TandemError) || !isWorthWaiting(error, tries, patience)) throw error;
      const pause = Math.min(LONG, SHORT * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
      const seconds = Math.max(error.retryAfter ?? 0, pause);
      // To be left without an answer is waiting too.
      if (error.status === 0) left -= (performance.now() - began) / 1000;
      // What is no number allows no wait.
      if (!(seconds <= left)) throw error;
      left -= seconds;
      await sleep(seconds, patience.signal);
    }
  }
}

function isWorthWaiting(error: TandemError, tries: number, { repeatable }: Patience): boolean {
  const { status, code, retryAfter } = error;
  const hopeful = retryAfter !== undefined || tries <= MAX_BLIND_RETRIES;
  switch (code) {
    // The first request runs until it is done, however long that takes.
    case "idempotency_in_progress":
      return true;
    // This says that nothing was done, and that it may be done later.
    case "rate_limited":
      return hopeful;
    // These come from wherever the line broke.
    case "overloaded":
      return repeatable && hopeful;
    case "unreachable":
      return repeatable && hopeful && status === 0 && !isOffline();
    default:
      return false;
  }
}

/** Whether a browser knows that it has no network: whoever waits for one is told at once. */
const isOffline = () => globalThis.navigator?.onLine === false;

/** Seconds; a signal ends it by throwing its reason. */
export function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(
      () => {
        signal?.removeEventListener("abort", stop);
        resolve();
      },
      Math.min(seconds * 1000, LONGEST_TIMER),
    );
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
