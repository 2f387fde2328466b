import type { Storage } from "../storage/storage.ts";

/** Milliseconds for which responses wait while others come. */
const LONGEST = 2;

interface Sending {
  send(): void;
  /** Called if sending throws. Must not throw. */
  fail(error: unknown): void;
}

const waiting: Sending[] = [];
let since = 0;

/**
 * Sends a response at the end of this turn of the event loop, together with others. A client or proxy on this machine that the first of them
 * wakes up is then awake for the rest: waking it up for each takes up to a third of the time of a common read. Responses don't wait for more
 * of them after 2 ms, nor for a batch of writes (`sendBeforeBatches`), but for whatever else runs in this turn.
 */
export function sendTogether(sending: Sending): void {
  const now = performance.now();
  if (waiting.push(sending) === 1) {
    since = now;
    setImmediate(sendAll);
  } else if (now - since > LONGEST) sendAll();
}

/** Has responses that wait sent before a batch of writes blocks the thread. */
export function sendBeforeBatches({ beforeBatch }: Pick<Storage, "beforeBatch">): void {
  beforeBatch(sendAll);
}

function sendAll(): void {
  for (const sending of waiting.splice(0)) {
    try {
      sending.send();
    } catch (error) {
      sending.fail(error);
    }
  }
}
