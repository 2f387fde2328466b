import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const limited = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/** Requests that were ended because their bodies arrived too slowly, with the status that was sent; null if none was. */
export const tooSlow = new WeakMap<IncomingMessage, number | null>();

/**
 * Limits how long a request body may take to arrive, in milliseconds, so that no client can hold a connection open. Node's
 * own limit is the same for every request; file uploads need longer and waive this one.
 */
export function limitBodyTime(server: FastifyInstance, milliseconds: number): void {
  const limit = (raw: IncomingMessage) => {
    const { "content-length": length = "0", "transfer-encoding": chunked } = raw.headers;
    if (length === "0" && chunked === undefined) return;
    // An in-process request has its whole body already, and would never emit `end` if it is refused unread.
    if (!(raw.socket instanceof Socket)) return;
    const error = Object.assign(new Error("the request body took too long"), {
      code: "ERR_HTTP_REQUEST_TIMEOUT",
    });
    const timer = setTimeout(() => {
      tooSlow.set(raw, 408);
      server.server.emit("clientError", error, raw.socket);
    }, milliseconds);
    // A body that is refused unread never ends, and must not keep the process alive.
    timer.unref();
    limited.set(raw, timer);
    raw.once("close", () => clearTimeout(timer));
    raw.once("end", () => clearTimeout(timer));
  };
  server.addHook("onRequest", ({ raw }, _reply, done) => {
    limit(raw);
    done();
  });
}

/** Lifts the limit: the reader of the body sets its own. */
export function waiveBodyTimeout(request: IncomingMessage): void {
  clearTimeout(limited.get(request));
}
