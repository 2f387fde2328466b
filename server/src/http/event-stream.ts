import type { ServerResponse } from "node:http";
import { limits } from "@tandem/contract/limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ApiError } from "./api-error.ts";
import type { Caller } from "./caller.ts";

/** Milliseconds of silence after which a keep-alive is sent, so that proxies don't close the connection. */
const SILENCE = 15_000;
/** Milliseconds within which a client must read what was sent. */
const PATIENCE = 30_000;
/** `Retry-After` in seconds when there are too many streams. */
const RETRY_AFTER = 10;
/** Milliseconds that clients wait before they reconnect; random, so that they don't all reconnect together. */
const RECONNECT = { least: 1000, most: 5000 };

/** An event stream as a response: `begin` is called once it is open. */
export class EventResponse {
  readonly begin: (stream: EventStream) => void;

  constructor(begin: (stream: EventStream) => void) {
    this.begin = begin;
  }
}

/** An open event stream (server-sent events). There may be thousands, so it has no timer or database connection. */
export class EventStream {
  readonly caller: Caller;
  readonly #response: ServerResponse;
  #wroteAt = performance.now();
  #blockedSince: number | null = null;

  constructor(caller: Caller, response: ServerResponse) {
    this.caller = caller;
    this.#response = response;
  }

  get isOpen(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** Whether the client is behind: send nothing more until `onDrain`. */
  get isBlocked(): boolean {
    return this.#blockedSince !== null;
  }

  onClose(closed: () => void): void {
    this.#response.once("close", closed);
  }

  onDrain(drained: () => void): void {
    this.#response.once("drain", drained);
  }

  /** @param data as JSON, on one line */
  event(name: string, data: string, id?: number): void {
    this.#write(`${id === undefined ? "" : `id: ${id}\n`}event: ${name}\ndata: ${data}\n\n`);
  }

  /** Sends a keep-alive, or closes the stream if the client reads nothing. */
  check(): void {
    const now = performance.now();
    if (this.#blockedSince !== null && now - this.#blockedSince > PATIENCE) this.#response.destroy();
    else if (now - this.#wroteAt > SILENCE) this.#write(":\n\n");
  }

  begin(): void {
    const { least, most } = RECONNECT;
    this.#write(`retry: ${Math.round(least + Math.random() * (most - least))}\n\n`);
  }

  /** Drops unread data; the client gets it when it reconnects. */
  end(): void {
    if (this.isBlocked) this.#response.destroy();
    else this.#response.end();
  }

  #write(text: string): void {
    if (!this.isOpen) return;
    this.#wroteAt = performance.now();
    if (this.#response.write(text) || this.isBlocked) return;
    this.#blockedSince = this.#wroteAt;
    this.onDrain(() => {
      this.#blockedSince = null;
    });
  }
}

/** All open event streams of this process. */
export class EventStreams {
  readonly #most: number;
  readonly #open = new Set<EventStream>();
  readonly #countOf = new Map<number, number>();
  #closed = false;

  /** @param most concurrent streams */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a stream. Throws `overloaded` or `rate_limited` if there are too many, in total or for the account. */
  open(request: FastifyRequest, reply: FastifyReply, response: EventResponse): FastifyReply {
    const { caller } = request;
    if (!caller) throw new ApiError("unauthorized");
    this.#checkLimits(caller.userId);
    // Proxies that buffer would deliver events late and in bursts.
    reply.headers({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    if (request.method === "HEAD") return reply.send();
    reply.hijack();
    const stream = new EventStream(caller, reply.raw);
    // A client that left during the lookup emits no further `close`.
    if (!stream.isOpen) return reply;
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string | string[]>);
    this.#track(stream);
    stream.begin();
    response.begin(stream);
    return reply;
  }

  /** Closes all streams, so that clients reconnect elsewhere. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#open) stream.end();
  }

  #checkLimits(userId: number): void {
    const retryAfter = RETRY_AFTER;
    if (this.#closed || this.#open.size >= this.#most)
      throw new ApiError("overloaded", "Too many streams are open.", { retryAfter });
    if ((this.#countOf.get(userId) ?? 0) >= limits.streamsPerAccount)
      throw new ApiError("rate_limited", "This account has too many streams open.", { retryAfter });
  }

  #track(stream: EventStream): void {
    const { userId } = stream.caller;
    this.#open.add(stream);
    this.#countOf.set(userId, (this.#countOf.get(userId) ?? 0) + 1);
    stream.onClose(() => {
      this.#open.delete(stream);
      const left = (this.#countOf.get(userId) ?? 1) - 1;
      if (left > 0) this.#countOf.set(userId, left);
      else this.#countOf.delete(userId);
    });
  }
}

/** The last event the client received, from the header that browsers send when they reconnect. */
export function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined || header === "") return null;
  const id = Number(header);
  if (/^\d+$/.test(String(header)) && Number.isSafeInteger(id)) return id;
  throw new ApiError("invalid_input", "Last-Event-ID must be the id of an event.", { field: "lastEventId" });
}
