import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@tandem/contract/errors";
import { hintOf } from "@tandem/contract/hints";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { DatabaseUnusable, Overloaded } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import { challengeOf } from "./challenge.ts";
import { hintFor } from "./hints.ts";
import { rateLimitHeaders } from "./quota.ts";
import { quotasOf } from "./quotas-of.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";

/** Turns every error, expected or not, into the documented error shape. */
export function respondToErrors(app: FastifyInstance, services: Services): void {
  app.setErrorHandler((error, request, reply) => sendError(services, error as Error, request, reply));
}

async function sendError(services: Services, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error);
  if (problem.code === "internal") request.log.error({ err: error }, "a request failed unexpectedly");
  const isUnavailable = problem.status === 503;
  if (isUnavailable) logUnavailable(request, error);
  const exceeded = problem.quotas && rateLimitHeaders(problem.quotas);
  // Don't query an unavailable database again: the response would wait for it twice.
  const readsQuotas = !isUnavailable && !exceeded;
  reply.headers(readsQuotas ? await quotasOf(services, request).catch(() => ({})) : (exceeded ?? {}));
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(problem.retryAfter));
  return send(services, reply, problem);
}

function logUnavailable({ log }: FastifyRequest, error: Error): void {
  const err = error.cause instanceof Overloaded ? error.cause : error;
  if (err instanceof DatabaseUnusable)
    log.error({ err, reason: err.reason }, `a request was refused: ${err.message}. ${err.advice}`);
  else if (err instanceof Overloaded) log.warn({ err }, `a request was refused: ${err.message}`);
  else log.warn({ err }, "a request was refused because the service is busy");
}

function send(services: Services, reply: FastifyReply, problem: ApiError): FastifyReply {
  reply.errorCode = problem.code;
  // Required with 401 (RFC 9110, 11.6.1).
  const challenge = challengeOf(services, problem, reply.request);
  if (challenge !== null) reply.header("www-authenticate", challenge);
  return reply
    .code(problem.status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(problem.toBody(services.baseUrl, hintFor(problem, reply))));
}

/** Rejects URLs that the router can't parse. Runs outside Fastify's error handling: throwing here ends the process. */
export function refuseAddress(services: Services, error: Error, reply: FastifyReply): void {
  send(services, reply, asProblem(error));
}

type CodeAndMessage = [ErrorCode, string?];

/** Fastify's own error codes. */
const fastifyErrors: Record<string, CodeAndMessage> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_input", "The body's length differs from Content-Length."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type"],
  FST_ERR_BAD_URL: ["invalid_input", "The URL is malformed."],
};

/** System errors for a full disk or too many open files. */
const resourceErrors = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"]);

/** Seconds: an administrator needs some time. */
const UNTIL_MENDED = 30;

export function asProblem(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof DatabaseUnusable)
    return new ApiError("storage_failure", undefined, { retryAfter: UNTIL_MENDED, cause: error });
  if (error instanceof Overloaded || resourceErrors.has((error as FastifyError).code))
    return new ApiError("overloaded", undefined, { retryAfter: 1, cause: error });
  const { code, statusCode } = error as FastifyError;
  // Other Fastify errors, such as an aborted request, are the client's.
  const byClient = statusCode !== undefined && statusCode < 500;
  const [name, message]: CodeAndMessage =
    fastifyErrors[code] ?? (byClient ? ["invalid_input", "The request is malformed."] : ["internal"]);
  return new ApiError(name, message, {
    field: code === "FST_ERR_BAD_URL" ? "path" : undefined,
    cause: error,
  });
}

/** Responds to malformed HTTP with an error and closes the connection. */
export function refuseMalformed(
  services: Pick<Services, "baseUrl">,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const problem = new ApiError("invalid_input", `${STATUS_CODES[status]}.`);
  const body = JSON.stringify(problem.toBody(services.baseUrl, hintOf(problem.code)));
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    ...securityHeaders(services, true),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`);
}
