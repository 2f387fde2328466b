import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@tandem/contract/errors";
import { hintOf } from "@tandem/contract/hints";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { MediaBusy } from "../media/apart.ts";
import { Overloaded } from "../storage/storage.ts";
import { hintFor } from "./hints.ts";
import type { House } from "./house.ts";
import { Problem } from "./problem.ts";
import { rateLimitHeaders } from "./quota.ts";
import { quotasOf } from "./route.ts";

/** Turns every error, expected or not, into the spec's shape (spec: Errors). */
export function answerErrors(app: FastifyInstance, house: House): void {
  app.setErrorHandler((error, request, reply) => sendError(house, error as Error, request, reply));
}

async function sendError(house: House, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error);
  if (problem.code === "internal")
    request.log.error({ err: error }, "a request failed through a fault of ours");
  if (problem.code === "overloaded")
    request.log.warn({ err: error }, "a request could not be served just now");
  const stand = problem.quotas && rateLimitHeaders(problem.quotas);
  // A database that is away isn't asked again: the answer would wait for it a second time.
  const asked = problem.code !== "overloaded" && !stand;
  reply.headers(asked ? await quotasOf(house, request).catch(() => ({})) : (stand ?? {}));
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(problem.retryAfter));
  return send(house, reply, problem);
}

function send({ baseUrl }: House, reply: FastifyReply, problem: Problem): FastifyReply {
  // How to do better (RFC 9110, 11.6.1).
  if (problem.status === 401) reply.header("www-authenticate", 'Bearer realm="Tandem"');
  return reply
    .code(problem.status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(problem.shown(baseUrl, hintFor(problem, reply))));
}

/** Answers what the router can't even read; no handler of ours hears of it, and what is thrown here ends the process. */
export function refuseAddress(house: House, error: Error, reply: FastifyReply): void {
  send(house, reply, asProblem(error));
}

type Told = [ErrorCode, string?];

/** What Fastify itself refuses, by its own codes. */
const known: Record<string, Told> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_input", "The body is not as long as Content-Length says."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type"],
  FST_ERR_BAD_URL: ["invalid_input", "The address is not well-formed."],
};

/** What the system says when there is no more room for files, on the disk or in the process. */
const full = new Set(["ENOSPC", "EDQUOT", "EMFILE", "ENFILE"]);

function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Overloaded || error instanceof MediaBusy || full.has((error as FastifyError).code))
    return new Problem("overloaded", undefined, { retryAfter: 1, cause: error });
  const { code, statusCode } = error as FastifyError;
  // What else Fastify has against a request, such as that it broke off, is no fault of ours.
  const theirs = statusCode !== undefined && statusCode < 500;
  const [name, message]: Told =
    known[code] ?? (theirs ? ["invalid_input", "The request is not well-formed."] : ["internal"]);
  return new Problem(name, message, { field: code === "FST_ERR_BAD_URL" ? "path" : undefined, cause: error });
}

/** Answers what is not even HTTP, then hangs up. */
export function refuseMalformed(
  { baseUrl }: Pick<House, "baseUrl">,
  error: Error & { code?: string },
  socket: Socket,
): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const problem = new Problem("invalid_input", `${STATUS_CODES[status]}.`);
  const body = JSON.stringify(problem.shown(baseUrl, hintOf(problem.code)));
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
