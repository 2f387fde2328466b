import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

const limited = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Gives each request's body so many milliseconds to come in, so that nobody holds a connection by never finishing. Node
 * has a limit of its own, but one for all: files take longer, and their readers waive this one.
 */
export function limitSending(server: FastifyInstance, milliseconds: number): void {
  server.addHook("onRequest", async ({ raw }) => {
    const { "content-length": length = "0", "transfer-encoding": chunked } = raw.headers;
    if (length === "0" && chunked === undefined) return;
    // What comes from within is all there; and refused unread, it would never end.
    if (!(raw.socket instanceof Socket)) return;
    const tooSlow = Object.assign(new Error("the body did not come in time"), {
      code: "ERR_HTTP_REQUEST_TIMEOUT",
    });
    const timer = setTimeout(() => server.server.emit("clientError", tooSlow, raw.socket), milliseconds);
    limited.set(raw, timer);
    raw.once("close", () => clearTimeout(timer));
    raw.once("end", () => clearTimeout(timer));
  });
}

/** Leaves it to the reader of a body how long that may take. */
export function waiveLimit(request: IncomingMessage): void {
  clearTimeout(limited.get(request));
}
