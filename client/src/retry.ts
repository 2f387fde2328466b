import { TandemError } from "./tandem-error.ts";

export interface RetryPolicy {
  /** The maximum total waiting time, in seconds. */
  maxWait: number;
  /** Whether the request can be sent again although it may already have been executed. */
  repeatable: boolean;
  signal: AbortSignal | undefined;
}

/** The maximum number of retries without a `Retry-After` from the service. */
const MAX_BLIND_RETRIES = 5;
/** Seconds. The backoff doubles from the first pause up to the longest. */
const FIRST_PAUSE = 0.25;
const LONGEST_PAUSE = 8;
/** Milliseconds. A timer with a longer delay would fire immediately. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Retries until the attempt succeeds. Throws errors that retrying can't fix or whose wait would exceed `maxWait`. */
export async function withRetries<T>(attempt: () => Promise<T>, policy: RetryPolicy): Promise<T> {
  let left = policy.maxWait;
  for (let tries = 1; ; tries++) {
    const began = performance.now();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TandemError) || !isRetryable(error, tries, policy)) throw error;
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (tries - 1)) * (0.5 + Math.random() / 2);
      const seconds = Math.max(error.retryAfter ?? 0, pause);
      // The time spent without a response also counts as waiting.
      if (error.status === 0) left -= (performance.now() - began) / 1000;
      // Negated, so that a `maxWait` of NaN allows no wait.
      if (!(seconds <= left)) throw error;
      left -= seconds;
      await sleep(seconds, policy.signal);
    }
  }
}

function isRetryable(error: TandemError, tries: number, { repeatable }: RetryPolicy): boolean {
  const { status, code, retryAfter } = error;
  const hasRetriesLeft = retryAfter !== undefined || tries <= MAX_BLIND_RETRIES;
  switch (code) {
    // The first request is still in progress, for however long.
    case "idempotency_in_progress":
      return true;
    // The request wasn't executed, so any request can be retried.
    case "rate_limited":
      return hasRetriesLeft;
    // The request may have been executed.
    case "overloaded":
    case "storage_failure":
      return repeatable && hasRetriesLeft;
    case "unreachable":
      return repeatable && hasRetriesLeft && status === 0 && !isOffline();
    default:
      return false;
  }
}

/** Whether the browser knows that it is offline; the user should see that immediately. */
const isOffline = () => globalThis.navigator?.onLine === false;

/** Waits for some seconds. Rejects with the signal's reason if it is aborted. */
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
