import { TandemError } from "./tandem-error.ts";

export interface Patience {
  /** Seconds that may be spent waiting, all in all. */
  maxWait: number;
  /** Whether the request may be sent again though nobody knows whether it was carried out. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** So often a request is sent again for nothing but hope: when nobody answers, or nobody says when to come back. */
const HOPES = 5;
/** Seconds, of the first pause and of the longest. */
const SHORT = 0.25;
const LONG = 8;

/** Tries until it succeeds, waiting in between as told; throws what no waiting mends, and at once what would take too long. */
export async function patiently<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  let left = patience.maxWait;
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TandemError) || !isWorthWaiting(error, tries, patience)) throw error;
      const pause = Math.min(LONG, SHORT * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
      const seconds = Math.max(error.retryAfter ?? 0, pause);
      if (seconds > left) throw error;
      left -= seconds;
      await sleep(seconds, patience.signal);
    }
  }
}

function isWorthWaiting({ code, retryAfter }: TandemError, tries: number, patience: Patience): boolean {
  if (retryAfter === undefined && tries > HOPES) return false;
  switch (code) {
    // These say that nothing was done, and that it may be done later.
    case "rate_limited":
    case "idempotency_in_progress":
      return true;
    // These come from wherever the line broke.
    case "overloaded":
    case "unreachable":
      return patience.repeatable;
    default:
      return false;
  }
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, seconds * 1000);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
