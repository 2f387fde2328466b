import type { ServerResponse } from "node:http";
import { limits } from "@tandem/contract/limits";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller } from "./caller.ts";
import { Problem } from "./problem.ts";

/** Milliseconds of silence after which something is sent, lest somebody on the way take the line for dead. */
const SILENCE = 15_000;
/** Milliseconds in which a reader must have taken what was sent. */
const PATIENCE = 30_000;
/** Seconds until it makes sense to try again where there are too many. */
const RETRY_AFTER = 10;
/** Milliseconds that clients wait before they come again, by lot, so that not all come at once. */
const RECONNECT = { least: 1000, most: 5000 };

/** An answer that is a stream: `begin` gets it once it is open. */
export class EventAnswer {
  readonly begin: (stream: EventStream) => void;

  constructor(begin: (stream: EventStream) => void) {
    this.begin = begin;
  }
}

/** An open line to a caller (server-sent events). There may be thousands: it has no timer and no connection of its own. */
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

  /** Whether it has been sent more than its reader has taken: then it is to be sent no more until `onDrain`. */
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

  /** Keeps the line alive, or cuts it if its reader takes nothing. */
  look(): void {
    const now = performance.now();
    if (this.#blockedSince !== null && now - this.#blockedSince > PATIENCE) this.#response.destroy();
    else if (now - this.#wroteAt > SILENCE) this.#write(":\n\n");
  }

  begin(): void {
    const { least, most } = RECONNECT;
    this.#write(`retry: ${Math.round(least + Math.random() * (most - least))}\n\n`);
  }

  /** What a reader didn't take until now is lost to it, and told when it comes again. */
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

/** All open lines of a process. */
export class EventStreams {
  readonly #most: number;
  readonly #open = new Set<EventStream>();
  readonly #held = new Map<number, number>();
  #closed = false;

  /** @param most lines at a time */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Opens a line. Throws `overloaded` or `rate_limited` where there are too many, of all or of one account. */
  open(request: FastifyRequest, reply: FastifyReply, answer: EventAnswer): FastifyReply {
    const { caller } = request;
    if (!caller) throw new Problem("unauthorized");
    this.#requireRoom(caller.userId);
    // Buffered on the way, events would come late and many at once.
    reply.headers({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    if (request.method === "HEAD") return reply.send();
    reply.hijack();
    const stream = new EventStream(caller, reply.raw);
    // Who left while their place was looked up won't be heard leaving any more.
    if (!stream.isOpen) return reply;
    reply.raw.writeHead(200, reply.getHeaders() as Record<string, string | string[]>);
    this.#keep(stream);
    stream.begin();
    answer.begin(stream);
    return reply;
  }

  /** Ends all, so that whoever listens goes elsewhere. */
  close(): void {
    this.#closed = true;
    for (const stream of this.#open) stream.end();
  }

  #requireRoom(userId: number): void {
    const retryAfter = RETRY_AFTER;
    if (this.#closed || this.#open.size >= this.#most)
      throw new Problem("overloaded", "Too many streams are open.", { retryAfter });
    if ((this.#held.get(userId) ?? 0) >= limits.streamsPerAccount)
      throw new Problem("rate_limited", "This account has too many streams open.", { retryAfter });
  }

  #keep(stream: EventStream): void {
    const { userId } = stream.caller;
    this.#open.add(stream);
    this.#held.set(userId, (this.#held.get(userId) ?? 0) + 1);
    stream.onClose(() => {
      this.#open.delete(stream);
      const left = (this.#held.get(userId) ?? 1) - 1;
      if (left > 0) this.#held.set(userId, left);
      else this.#held.delete(userId);
    });
  }
}

/** The last event that the client had, where the header says so, which clients send by themselves when they come again. */
export function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined || header === "") return null;
  const id = Number(header);
  if (/^\d+$/.test(String(header)) && Number.isSafeInteger(id)) return id;
  throw new Problem("invalid_input", "Last-Event-ID must be the id of an event.", { field: "lastEventId" });
}
