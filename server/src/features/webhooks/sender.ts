import { limits } from "@tandem/contract/limits";
import { OUTBOX } from "../../events/channels.ts";
import { memoizePerInstance } from "../../http/memoize-per-instance.ts";
import { notePause, pauseOf } from "../../http/retry-after.ts";
import type { Services } from "../../http/services.ts";
import { claim, isDue } from "../../jobs/queue.ts";
import { countRun } from "../../jobs/queue-metrics.ts";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { traceWork } from "../../tracing/tracing.ts";
import { messageBody } from "./message-body.ts";
import { payloadFor } from "./push-payload.ts";
import {
  type AttemptResult,
  giveUp,
  nextOf,
  notTo,
  PUSH_INTERVAL,
  recordAttempt,
  releaseHook,
  webhookQueue,
} from "./sender.queries.ts";
import { signatureHeaders } from "./sign.ts";
import { encryptPush, type OutboundRequest } from "./web-push.ts";
import { type Destination, destinationOf, type Hook, isBrowser, type Sending } from "./webhooks.queries.ts";

/** Milliseconds after which a webhook is released, so that others get their turn. */
const TURN = 5000;
/**
 * How many webhooks and browsers a process sends to at the same time, in all and per origin. Few push services serve very many
 * browsers.
 */
const MAX_IN_PROGRESS = 32;
const PER_ORIGIN = { server: 4, browser: 16 };
/** Timeouts in seconds: for the whole response, and without any data. */
const TIMEOUTS = { seconds: 15, idle: limits.webhookSeconds };
/** Bytes of a response that are read; its content doesn't matter. */
const MAX_BYTES = 1024;
/** Deliveries that fail in one transaction when their webhook is disabled. */
const GIVEN_UP = 500;

interface BuiltRequest {
  request: OutboundRequest | null;
  upTo: number | null;
}

/** Sends the deliveries of webhooks and browsers that are due. */
export class Sender {
  readonly #services: Services;
  readonly #stopping = new AbortController();
  readonly #unlisten: () => void;
  readonly #running = new Map<Promise<void>, Destination>();
  #again = false;
  #wake = () => {};
  #sending: Promise<void> | null = null;

  constructor(services: Services) {
    this.#services = services;
    const { changes } = services.storage;
    this.#unlisten = changes.listen((channels, isOwn) => {
      if (isOwn && channels.has(OUTBOX)) this.#scheduleSooner();
    });
  }

  /** Sends until nothing is due or the signal aborts. */
  run(signal: AbortSignal): Promise<void> {
    this.#again = true;
    this.#wake();
    this.#sending ??= this.#work(AbortSignal.any([signal, this.#stopping.signal]));
    return this.#sending;
  }

  /** Aborts deliveries in progress; they are sent again later, by this or another process. */
  async stop(): Promise<void> {
    this.#unlisten();
    this.#stopping.abort(new Error("the service stops"));
    await this.#sending?.catch(() => {});
  }

  #scheduleSooner(): void {
    this.run(this.#stopping.signal).catch((err) => this.#log(err));
  }

  #scheduleIn(milliseconds: number): void {
    setTimeout(() => this.#scheduleSooner(), milliseconds + 1).unref();
  }

  #log(err: unknown): void {
    this.#services.log.error({ err }, "sending webhook messages failed");
  }

  /** Ends when nothing is due and nothing is in progress. */
  async #work(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        this.#again = false;
        const hook = this.#running.size < MAX_IN_PROGRESS ? await this.#claim() : null;
        if (hook) this.#begin(hook, signal);
        else if (this.#again) continue;
        else if (this.#running.size === 0) return;
        else await this.#waitForChange();
      }
      await Promise.all(this.#running.keys());
    } finally {
      // In the same tick as the last check of #again: a wake-up in between would join a loop that has ended.
      this.#sending = null;
    }
  }

  /** Waits until a delivery ends or more become due, so that a slow receiver doesn't delay others. */
  #waitForChange(): Promise<void> {
    const woken = new Promise<void>((wake) => {
      this.#wake = wake;
    });
    return Promise.race([...this.#running.keys(), woken]);
  }

  async #claim(): Promise<Hook | null> {
    const { storage, now } = this.#services;
    const also = notTo(this.#fullDestinations());
    if (!(await isDue(storage.read, webhookQueue, { now: now(), also }))) return null;
    const [hook = null] = await storage.write((tx) =>
      claim(tx, webhookQueue, { now: now(), limit: 1, also }),
    );
    return hook;
  }

  /** Destinations at their limit of deliveries in progress; their messages stay queued. */
  #fullDestinations(): Destination[] {
    const inUse = [...this.#running.values()];
    const count = (destination: Destination) => inUse.filter((other) => isSame(other, destination)).length;
    const full = inUse.filter((destination) => count(destination) >= PER_ORIGIN[destination.kind]);
    return full.filter((destination, i) => full.findIndex((other) => isSame(other, destination)) === i);
  }

  #begin(hook: Hook, signal: AbortSignal): void {
    const turn = traceWork(`queue ${webhookQueue.kind}`, { "tandem.queue": webhookQueue.kind }, () =>
      this.#takeTurn(hook, signal),
    );
    const sending = turn.catch((err) => this.#log(err)).finally(() => this.#running.delete(sending));
    this.#running.set(sending, destinationOf(hook));
  }

  async #takeTurn(hook: Hook, signal: AbortSignal): Promise<void> {
    const { storage, now } = this.#services;
    const end = performance.now() + TURN;
    let resumesAt = 0;
    try {
      while (!signal.aborted && performance.now() < end) {
        const paused = await pauseOf(this.#services, receiverOf(hook));
        resumesAt = now() + paused;
        if (paused > 0) break;
        const next = await nextOf(storage.read, hook, now());
        if (!next) break;
        await this.#sendOne(...next, signal);
      }
    } finally {
      const due = await storage.write((tx) => releaseHook(tx, hook, Math.max(now(), resumesAt)));
      const soon = due === null ? Number.POSITIVE_INFINITY : due - now();
      // Sooner than the next run of the job.
      if (soon > 0 && soon <= PUSH_INTERVAL) this.#scheduleIn(soon);
    }
  }

  async #sendOne(hook: Hook, sending: Sending, signal: AbortSignal): Promise<void> {
    const { storage } = this.#services;
    if (hook.state !== "working") {
      while (!(await storage.write((tx) => giveUp(tx, hook, GIVEN_UP))));
      return;
    }
    const result = await this.#attempt(hook, sending, signal);
    if (!result) return;
    await storage.write((tx) => recordAttempt(tx, hook, sending, result));
    countRun(this.#services, webhookQueue.kind, result.error === null ? "done" : "retried");
  }

  /** Null if it was aborted: it may or may not have arrived. */
  async #attempt(hook: Hook, sending: Sending, signal: AbortSignal): Promise<AttemptResult | null> {
    const { outgoing, now } = this.#services;
    const { request, upTo } = await buildRequest(this.#services, hook, sending);
    if (!request) return { at: now(), status: null, error: null, upTo };
    try {
      const limited = { method: "POST", ...request, maxBytes: MAX_BYTES, partial: true } as const;
      const response = await outgoing(hook.url, { ...limited, ...TIMEOUTS, signal });
      await notePause(this.#services, receiverOf(hook), response);
      const { status } = response;
      return { at: now(), status, error: errorOf(status), upTo };
    } catch (error) {
      if (error instanceof OutgoingError) return { at: now(), status: null, error: error.message, upTo };
      if (signal.aborted) return null;
      throw error;
    }
  }
}

/** Its `Retry-After` doesn't concern others at the same host, which is often a service that many use. */
const receiverOf = ({ id }: Hook): string => `webhook ${id}`;

const isSame = (a: Destination, b: Destination): boolean => a.origin === b.origin && a.kind === b.kind;

/** The request to send; null if there is nothing left to send, which counts as delivered. */
async function buildRequest(services: Services, hook: Hook, sending: Sending): Promise<BuiltRequest> {
  if (!isBrowser(hook)) {
    const body = await messageBody(services.storage.read, hook, sending, services.now());
    const headers = signatureHeaders(hook, { ...sending, payload: body }, services.now());
    return { request: { headers, body }, upTo: null };
  }
  const { message, upTo } = await payloadFor(services, hook, sending);
  return { request: message === null ? null : await encryptPush(services, hook, message), upTo };
}

/** Redirects aren't followed; the error tells the webhook's owner. */
function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? `The receiver redirected (${status}), and redirects aren't followed.`
    : `The receiver responded with status ${status}.`;
}

/** One for each service of this process. */
export const senderOf = memoizePerInstance((services: Services) => new Sender(services));
