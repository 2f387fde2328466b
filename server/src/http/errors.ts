import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@tandem/contract/errors";
import { hintOf } from "@tandem/contract/hints";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Overloaded } from "../storage/storage.ts";
import { ApiError } from "./api-error.ts";
import { hintFor } from "./hints.ts";
import { rateLimitHeaders } from "./quota.ts";
import { quotasOf } from "./route.ts";
import type { Services } from "./services.ts";

/** Turns every error, expected or not, into the documented error shape. */
export function answerErrors(app: FastifyInstance, services: Services): void {
  app.setErrorHandler((error, request, reply) => sendError(services, error as Error, request, reply));
}

async function sendError(services: Services, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error);
  if (problem.code === "internal")
    request.log.error({ err: error }, "a request failed through a fault of ours");
  if (problem.code === "overloaded")
    request.log.warn({ err: error }, "a request could not be served just now");
  const stand = problem.quotas && rateLimitHeaders(problem.quotas);
  // Don't query an unavailable database again: the answer would wait for it twice.
  const asked = problem.code !== "overloaded" && !stand;
  reply.headers(asked ? await quotasOf(services, request).catch(() => ({})) : (stand ?? {}));
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(problem.retryAfter));
  return send(services, reply, problem);
}

function send({ baseUrl }: Services, reply: FastifyReply, problem: ApiError): FastifyReply {
  // Required with 401 (RFC 9110, 11.6.1).
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="Tandem"');
  return reply
    .code(problem.status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(problem.shown(baseUrl, hintFor(problem, reply))));
}

/** Answers URLs that the router can't parse. Runs outside Fastify's error handling: throwing here ends the process. */
export function refuseAddress(services: Services, error: Error, reply: FastifyReply): void {
  send(services, reply, asProblem(error));
}

type Told = [ErrorCode, string?];

/** Fastify's own error codes. */
const known: Record<string, Told> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_input", "The body is not as long as Content-Length says."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type"],
  FST_ERR_BAD_URL: ["invalid_input", "The address is not well-formed."],
};

/** System errors for a full disk or too many open files. */
const full = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"]);

function asProblem(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Overloaded || full.has((error as FastifyError).code))
    return new ApiError("overloaded", undefined, { retryAfter: 1, cause: error });
  const { code, statusCode } = error as FastifyError;
  // Other Fastify errors, such as an aborted request, are the client's.
  const theirs = statusCode !== undefined && statusCode < 500;
  const [name, message]: Told =
    known[code] ?? (theirs ? ["invalid_input", "The request is not well-formed."] : ["internal"]);
  return new ApiError(name, message, {
    field: code === "FST_ERR_BAD_URL" ? "path" : undefined,
    cause: error,
  });
}

/** Answers malformed HTTP, then closes the connection. */
export function refuseMalformed(
  { baseUrl }: Pick<Services, "baseUrl">,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const problem = new ApiError("invalid_input", `${STATUS_CODES[status]}.`);
  const body = JSON.stringify(problem.shown(baseUrl, hintOf(problem.code)));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
