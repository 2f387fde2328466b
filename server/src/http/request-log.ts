import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ErrorCode } from "@tandem/contract/errors";
import { isWrite, type Operation } from "@tandem/contract/operation";
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { targetOf } from "./audit.ts";
import { tooSlow } from "./body-timeout.ts";
import type { Answer } from "./known-answers.ts";
import { durationOf } from "./overload.ts";
import type { Shutdown } from "./shutdown.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** What a security event is about, such as `user:42`, as in the audit log. */
    target: string | null;
    /** The name of a security event that is no operation of the API. */
    securityEvent: string | null;
  }
  interface FastifyReply {
    /** The code of the error in the response; null if it is none. */
    errorCode: ErrorCode | null;
  }
}

/** The id of the client's or a proxy's `X-Request-Id`, or a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers["x-request-id"];
  return typeof given === "string" && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
}

/** Logs each request when its response is sent or it is cut off, and gives the response the request's id. */
export function logRequests(server: FastifyInstance, shutdown: Shutdown): void {
  server.decorateRequest("target", null);
  server.decorateRequest("securityEvent", null);
  server.decorateReply("errorCode", null);
  const logged = new WeakSet<FastifyRequest>();
  server.addHook("onRequest", (request, reply, done) => {
    reply.header("x-request-id", request.id);
    reply.raw.once("close", () => {
      if (reply.raw.writableFinished || logged.has(request)) return;
      logged.add(request);
      // If the body isn't whole, what the handler has sent is an error about that, which came too late.
      const status = request.raw.complete && reply.raw.headersSent ? reply.statusCode : null;
      logCutOff(request.log, shutdown, reply.raw, { ...lineOf(request, reply), status });
    });
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const line = lineOf(request, reply);
    if (!logged.has(request)) request.log.info(line, `${line.operation} returned ${line.status}`);
    logged.add(request);
    done();
  });
}

interface LogLine extends Record<string, unknown> {
  operation: string;
}

/** Logs a request whose client got no response, or only part of one. No client gets these codes. */
export function logCutOff(
  log: FastifyBaseLogger,
  shutdown: Shutdown,
  response: ServerResponse,
  line: LogLine,
): void {
  const text = `${line.operation} was cut off, because`;
  const slow = tooSlow.get(response.req);
  if (shutdown.hasCutOff(response.req, response))
    log.warn({ ...line, code: "cut_off" }, `${text} the service stops`);
  else if (slow !== undefined)
    log.info({ ...line, status: slow, code: "too_slow" }, `${text} its body wasn't received in time`);
  else log.info({ ...line, code: "connection_closed" }, `${text} its connection closed`);
}

/** Logs a request that was answered without the framework, in the same form as all others. `duration` is in milliseconds. */
export function logAnswer(
  log: FastifyBaseLogger,
  { op, route, caller }: Answer,
  { id, status, duration }: { id: string; status: number; duration: number },
): void {
  const line = {
    request: id,
    operation: op.name,
    method: "GET",
    route: route ?? null,
    status,
    ...(caller && { account: caller.userId }),
    ...(caller?.key && { key: caller.key.id }),
    duration_ms: duration,
  };
  log.info(line, `${op.name} returned ${status}`);
}

/** Contains nothing that callers send, except that security events have their address and a valid id in the path. */
function lineOf(request: FastifyRequest, reply: FastifyReply) {
  const { op, caller, routeOptions, securityEvent } = request;
  const isSecurity = securityEvent !== null || (op !== null && isSecurityEvent(op));
  const target = isSecurity ? (request.target ?? (op && targetOf(op, idsIn(request)))) : null;
  return {
    operation: op?.name ?? securityEvent ?? "none",
    method: request.method,
    route: routeOptions.url ?? null,
    status: reply.statusCode,
    ...(reply.errorCode && { code: reply.errorCode }),
    ...(caller && { account: caller.userId }),
    ...(caller?.key && { key: caller.key.id }),
    ...(op && isDryRun(op, request) && { dry_run: true }),
    ...(isSecurity && { security: true, address: request.ip }),
    ...(target !== null && { target }),
    duration_ms: durationOf(request, reply),
  };
}

/** The path's id, unless it is something that no id can be: then the request was refused. */
function idsIn({ params }: FastifyRequest): { id?: string | undefined } {
  const { id = "" } = (params ?? {}) as { id?: string };
  return { id: /^\d{1,16}$/.test(id) ? id : undefined };
}

function isDryRun(op: Operation, { query }: FastifyRequest): boolean {
  return isWrite(op) && (query as { dryRun?: unknown }).dryRun === "1";
}

/** Whether it signs in or out, or changes who may do what: passwords, sessions, keys, agents, roles, moderation. */
function isSecurityEvent(op: Operation): boolean {
  if (!isWrite(op)) return false;
  if (op.area === "Identity") return op.access.kind === "anyone" || op.name === "logOut";
  return op.area === "Account" || op.area === "Keys and agents" || "admins" in op.access;
}
