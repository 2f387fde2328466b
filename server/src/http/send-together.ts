import type { ServerResponse } from "node:http";
import type { FastifyBaseLogger } from "fastify";

/** Milliseconds after which responses are sent before the turn is over, so that none waits long for others' work. */
const LONGEST = 2;

interface Sending {
  response: ServerResponse;
  log: FastifyBaseLogger;
  send(): void;
}

const waiting: Sending[] = [];
let since = 0;

/**
 * Sends a response at the end of this turn of the event loop, together with others. A client or proxy on this machine that the first of them
 * wakes up is then awake for the rest: waking it up for each takes up to a third of the time of a common read. Sending isn't expected to fail.
 * If it does, only this request ends.
 */
export function sendTogether(sending: Sending): void {
  const now = performance.now();
  if (waiting.push(sending) === 1) {
    since = now;
    setImmediate(sendAll);
  } else if (now - since > LONGEST) sendAll();
}

function sendAll(): void {
  for (const { response, log, send } of waiting.splice(0)) {
    try {
      send();
    } catch (error) {
      fail(response, log, error);
    }
  }
}

/** Ends a request whose response can't be sent. */
export function fail(response: ServerResponse, log: FastifyBaseLogger, error: unknown): void {
  log.error(error);
  response.destroy();
}
