import { type IncomingMessage, type OutgoingHttpHeaders, STATUS_CODES } from "node:http";
import { Socket } from "node:net";
import { hintOf } from "@tandem/contract/hints";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Counter, Gauge } from "prom-client";
import { keepTrace } from "../tracing/tracing.ts";
import { Admission, type Entrant, type ShedReason, type Ticket } from "./admission.ts";
import { ApiError } from "./api-error.ts";
import { isForm } from "./body.ts";
import { wasLive } from "./credential.ts";
import { clientAddress, networkOf } from "./network.ts";
import { RefusalLog } from "./refusal-log.ts";
import { sendBeforeBatches, sendTogether } from "./send-together.ts";
import type { Services } from "./services.ts";

/**
 * What a route costs: `probe` is never refused; `file` is a small file in memory that pages need; `transfer` waits for its client more than for
 * this process, such as media; `dear` needs many times the processor time of a usual request.
 */
export type Cost = "probe" | "file" | "transfer" | "cheap" | "dear";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Default: searches and uploads are dear, everything else is cheap. */
    cost?: Cost | ((request: FastifyRequest) => Cost);
  }
  interface FastifyRequest {
    ticket: Ticket | null;
    /** Lets the next request start: from here on, this one waits for something else, such as another host. */
    freePlace(): void;
  }
}

/** The most bytes of a refused request's body that are read to keep its connection open. */
const SMALL_BODY = 2 ** 16;
/** Seconds after which refused clients are asked to retry; random, so that they don't all return together. */
const RETRY_AFTER = { least: 1, most: 3 };
/** Seconds after which browsers load the page for refused readers again; random, too. */
const REFRESH_AFTER = { least: 4, most: 10 };

/** How browsers are told that the service is busy. */
export interface RefusalPage {
  isWanted(request: FastifyRequest): boolean;
  /** HTML; null if there is none yet. Sets headers of its own. */
  render(request: FastifyRequest, reply: FastifyReply): Promise<string | null>;
}

/**
 * Refuses requests, before anything else is done for them, that would wait too long. Register it before hooks that cost anything. Returns
 * what decides.
 */
export function shedOverload(server: FastifyInstance, services: Services, page: RefusalPage): Admission {
  const { storage, config } = services;
  const admission = new Admission({
    maxWait: config.maxWait,
    writeQueueAge: () => storage.writeQueue().age,
  });
  const refusals = new RefusalLog(services.log);
  server.addHook("onClose", async () => refusals.end());
  const count = watchAdmission(services, admission, refusals);
  server.server.on("connection", () => admission.accept());
  server.decorateRequest("ticket", null);
  server.decorateRequest("freePlace", function () {
    if (this.ticket) admission.leave(this.ticket);
  });
  server.addHook("onRequest", (request, reply, done) => {
    const { raw } = request;
    const cost = costOf(request);
    const { outcome: decided, ticket: kept = null } = decidedReads.get(raw) ?? {};
    request.ticket = kept;
    // What a page or a tool requests in this process is part of an admitted request.
    if (cost === "probe" || decided === "admitted" || !(raw.socket instanceof Socket)) return done();
    const refuse = (reason: ShedReason) => {
      count(reason);
      sendRefusal(services, page, request, reply).catch((error: unknown) => {
        services.log.error(error);
        reply.raw.destroy();
      });
    };
    if (decided) return refuse(decided);
    // After waiting, it starts in the turn of another request.
    const proceed = keepTrace(done);
    const admit = () => {
      if (cost === "transfer") request.freePlace();
      proceed();
    };
    const ticket = admission.enter(entrant(services, request, cost, { admit, refuse }));
    request.ticket = ticket;
    reply.raw.once("close", () => admission.leave(ticket));
  });
  sendBeforeBatches(storage);
  server.addHook("onSend", (request, reply, payload, done) => {
    request.freePlace();
    // A stream needs its listeners now. Nothing waits for a response to what a page or a tool requests in this process.
    const isWhole = payload === null || typeof payload === "string" || payload instanceof Buffer;
    if (!isWhole || !(request.raw.socket instanceof Socket)) return done(null, payload);
    sendTogether({
      send: keepTrace(() => done(null, payload)),
      fail: keepTrace((error) => sendFailure(services, error, request, reply)),
    });
  });
  return admission;
}

/** How waiting ended for cheap reads that waited outside of the framework: it handles those that are refused or end in an error. */
const decidedReads = new WeakMap<IncomingMessage, Decided>();

interface Decided {
  readonly outcome: "admitted" | ShedReason;
  readonly arrivedAt: number;
  /** Its place, if the framework takes that over. */
  ticket?: Ticket;
}

/** Lets an admitted read keep its place until the framework sends a response. */
export function handOver(request: IncomingMessage, ticket: Ticket): void {
  const decided = decidedReads.get(request);
  if (decided) decided.ticket = ticket;
}

/** Milliseconds that a request took, including how long it waited, although the framework may only have handled it afterwards. */
export function durationOf({ raw }: FastifyRequest, reply: FastifyReply): number {
  const waited = decidedReads.get(raw);
  return waited ? performance.now() - waited.arrivedAt : reply.elapsedTime;
}

/** A cheap read that waits outside of the framework. If the framework handles it afterwards, it neither waits again nor is admitted after a refusal. */
export function cheapRead(
  services: Services,
  request: IncomingMessage,
  outcome: Pick<Entrant, "admit" | "refuse">,
): Entrant {
  const arrivedAt = performance.now();
  return {
    isWrite: false,
    isDear: false,
    isFile: false,
    takesPlace: () => true,
    identify: () => ({
      isSignedIn: wasLive(services, request.headers),
      network: networkOf(clientAddress(request, services.config.trustProxy)) ?? "unknown",
    }),
    admit() {
      decidedReads.set(request, { outcome: "admitted", arrivedAt });
      outcome.admit();
    },
    refuse(reason) {
      decidedReads.set(request, { outcome: reason, arrivedAt });
      outcome.refuse(reason);
    },
  };
}

function entrant(
  services: Services,
  request: FastifyRequest,
  cost: Cost,
  outcome: Pick<Entrant, "admit" | "refuse">,
): Entrant {
  const { raw, method } = request;
  const isWrite = method !== "GET" && method !== "HEAD";
  return {
    isWrite,
    isDear: cost === "dear",
    isFile: cost === "file",
    // A client that is slow to send its body must not block others.
    takesPlace: () =>
      cost !== "transfer" && cost !== "file" && (!isWrite || (raw.complete && !isUpload(raw))),
    identify: () => ({
      isSignedIn: wasLive(services, raw.headers),
      network: networkOf(request.ip) ?? "unknown",
    }),
    ...outcome,
  };
}

/** Searches by words, by meaning, and of a saved search's new matches. */
export const DEAR = /[?&](?:q|postId)=.|^\/api\/searches\/\d/;

function costOf(request: FastifyRequest): Cost {
  const { cost } = request.routeOptions.config;
  if (cost !== undefined) return typeof cost === "function" ? cost(request) : cost;
  if (request.is404) return (request.headers.accept ?? "").includes("text/html") ? "dear" : "cheap";
  return isUpload(request.raw) || DEAR.test(request.url) ? "dear" : "cheap";
}

function isUpload({ headers }: IncomingMessage): boolean {
  return isForm(headers["content-type"]);
}

/** Responds without the framework, which can't send the response, for example because a header is invalid. */
function sendFailure(
  { baseUrl }: Services,
  error: unknown,
  { log, id }: FastifyRequest,
  reply: FastifyReply,
): void {
  const { raw } = reply;
  log.error({ err: error }, "a response could not be sent");
  if (raw.headersSent) raw.destroy();
  else {
    const problem = new ApiError("internal");
    reply.errorCode = problem.code;
    raw.writeHead(problem.status, STATUS_CODES[problem.status], {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      "x-request-id": id,
    });
    raw.end(JSON.stringify(problem.toBody(baseUrl, hintOf(problem.code))));
  }
}

/** Responds without the framework, to spend as little as possible. */
async function sendRefusal(
  { baseUrl, log }: Services,
  page: RefusalPage,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { raw } = request;
  const html = page.isWanted(request)
    ? await page.render(request, reply).catch((error: unknown) => {
        log.error(error, "the page for refused readers could not be rendered");
        return null;
      })
    : null;
  // The client has left.
  if (reply.raw.destroyed) return;
  const headers = reply.getHeaders();
  reply.hijack();
  const problem = new ApiError("overloaded");
  const body = html ?? JSON.stringify(problem.toBody(baseUrl, hintOf(problem.code)));
  const { "content-length": length, "transfer-encoding": encoding } = raw.headers;
  const hasLargeBody = encoding !== undefined || Number(length ?? 0) > SMALL_BODY;
  reply.raw.writeHead(problem.status, STATUS_CODES[problem.status], {
    ...(headers as OutgoingHttpHeaders),
    ...(html === null && { "content-type": "application/json; charset=utf-8" }),
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    "retry-after": String(secondsOf(RETRY_AFTER)),
    ...(html !== null && { refresh: String(secondsOf(REFRESH_AFTER)) }),
    ...(hasLargeBody && { connection: "close" }),
  });
  reply.raw.end(raw.method === "HEAD" ? undefined : body);
}

function secondsOf({ least, most }: { least: number; most: number }): number {
  return least + Math.floor(Math.random() * (most - least + 1));
}

/** Registers the metrics, and returns a function that counts and logs a refused request. */
function watchAdmission({ metrics, storage }: Services, admission: Admission, refusals: RefusalLog) {
  const registers = [metrics];
  const shed = new Counter({
    name: "tandem_shed_requests_total",
    help: "Requests that were refused because the service was busy, by what they waited for.",
    labelNames: ["reason"],
    registers,
  });
  const gauge = (name: string, help: string, aggregator: "sum" | "max", measure: () => number) =>
    new Gauge({
      name,
      help,
      aggregator,
      registers,
      collect() {
        this.set(measure());
      },
    });
  gauge("tandem_waiting_requests", "Requests that wait to be handled.", "sum", () => admission.waiting);
  const { writeQueue } = storage;
  gauge("tandem_write_queue_length", "Writes that wait for the database.", "sum", () => writeQueue().length);
  gauge(
    "tandem_write_queue_age_seconds",
    "For how long the oldest write has waited for the database; 0 if none does.",
    "max",
    () => writeQueue().age / 1000,
  );
  return (reason: ShedReason) => {
    shed.inc({ reason });
    refusals.add(reason);
  };
}
