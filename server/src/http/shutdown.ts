import type { IncomingMessage, ServerResponse } from "node:http";
import { Server as NetServer, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, RouteHandlerMethod } from "fastify";

/** All in milliseconds, from when the port closes, or the last handler of a request that had arrived ends. */
export interface Grace {
  /** How long a connection without a request may still send one: its client may not know yet. */
  idle: number;
  /** How long bodies may still arrive, and responses be read. */
  transfer: number;
  /** How long handlers of requests that have arrived may take. */
  work: number;
}

/** Milliseconds between two looks at the connections. */
const INTERVAL = 20;

/**
 * Knows which requests are in progress, so that a stop loses none: those that have arrived are finished, whether or not their
 * client is still there, and connections that only wait are closed.
 */
export class Shutdown {
  /** Whether the service is stopping. It may still accept requests. */
  hasBegun = false;
  #isClosing = false;
  /** Open connections, each with its number of requests in progress. */
  readonly #connections = new Map<Socket, number>();
  /** Requests without a complete response, and those whose handler runs although their client is gone. */
  readonly #received = new Map<IncomingMessage, ServerResponse>();
  readonly #handled = new Map<IncomingMessage, ServerResponse>();
  #lastHandledAt = 0;
  /** Connections that the stop has cut. */
  readonly #cut = new WeakSet<Socket>();

  /** Call before routes are mounted. */
  watch(server: FastifyInstance): void {
    server.addHook("onRoute", (route) => {
      const { handler } = route;
      const during = this.during;
      route.handler = function (request, reply) {
        return during(request.raw, reply.raw, () => handler.call(this, request, reply));
      } as RouteHandlerMethod;
    });
    server.server.on("connection", (socket: Socket) => {
      this.#connections.set(socket, 0);
      socket.once("close", () => this.#connections.delete(socket));
    });
    // First, so that the response hasn't begun yet.
    server.server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
      if (this.#isClosing) response.setHeader("connection", "close");
      this.#received.set(request, response);
      this.#count(request.socket, 1);
      response.once("close", () => {
        this.#received.delete(request);
        this.#count(request.socket, -1);
      });
    });
  }

  /** Closes the port, and resolves once no request is in progress and no connection is open. */
  async close(server: FastifyInstance, { idle, transfer, work }: Grace): Promise<void> {
    this.hasBegun = true;
    this.#isClosing = true;
    // Node's HTTP server would close idle connections at once, some of which a request is on its way to.
    NetServer.prototype.close.call(server.server);
    const since = performance.now();
    this.#lastHandledAt = since;
    const isOver = () => this.#connections.size === 0 && this.#handled.size === 0;
    // Counted in looks, because a process that got no processor time meanwhile hasn't read what was sent to it.
    for (let looks = 0; !isOver(); looks++, await pause(INTERVAL)) {
      const now = performance.now();
      if (now - since > work) break;
      if (looks * INTERVAL > idle) this.#disconnect((requests) => requests === 0);
      if (!this.#isWorking() && now - this.#lastHandledAt > transfer) this.#disconnect(() => true);
    }
    this.#disconnect(() => true);
  }

  /** Milliseconds since the last handler of a request that had arrived ended, or since the port closed. */
  get sinceLastHandled(): number {
    return performance.now() - this.#lastHandledAt;
  }

  /** Whether the stop has cut off this request, so that its client got no response, or only part of one. */
  hasCutOff(request: IncomingMessage, response: ServerResponse): boolean {
    return !response.writableFinished && this.#cut.has(request.socket);
  }

  /** Whether a request has arrived whole and has no response yet. */
  #isWorking(): boolean {
    return [...this.#received, ...this.#handled].some(
      ([request, response]) => hasArrived(request) && !response.headersSent,
    );
  }

  #disconnect(matches: (requests: number) => boolean): void {
    for (const [socket, requests] of this.#connections) {
      if (!matches(requests)) continue;
      this.#cut.add(socket);
      socket.destroy();
    }
  }

  #count(socket: Socket, change: number): void {
    const requests = this.#connections.get(socket);
    if (requests !== undefined) this.#connections.set(socket, requests + change);
  }

  /** Handles a request, which a stop waits for even if its client is gone. */
  readonly during = <Result>(
    request: IncomingMessage,
    response: ServerResponse,
    handle: () => Result,
  ): Result => {
    this.#handled.set(request, response);
    const end = () => {
      this.#handled.delete(request);
      // A request that a stop cuts off doesn't extend the time of background work.
      if (hasArrived(request)) this.#lastHandledAt = performance.now();
    };
    try {
      const result = handle();
      // A promise stays one of the same.
      if (result instanceof Promise) return result.finally(end) as Result;
      end();
      return result;
    } catch (error) {
      end();
      throw error;
    }
  };
}

/** An in-process request has no connection, and is whole from the start. */
function hasArrived(request: IncomingMessage): boolean {
  return request.complete || !(request.socket instanceof Socket);
}
