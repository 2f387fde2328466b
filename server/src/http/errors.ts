import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ErrorCode } from "@tandem/contract/errors";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { Overloaded } from "../storage/storage.ts";
import type { House } from "./house.ts";
import { Problem } from "./problem.ts";
import { quotasOf } from "./route.ts";

/** Turns every error, expected or not, into the spec's shape (spec: Errors). */
export function answerErrors(app: FastifyInstance, house: House): void {
  app.setErrorHandler((error, request, reply) => sendError(house, error as Error, request, reply));
  app.setNotFoundHandler(() => {
    throw new Problem("not_found", "There is nothing at this path.");
  });
}

async function sendError(house: House, error: Error, request: FastifyRequest, reply: FastifyReply) {
  const problem = asProblem(error);
  if (problem.code === "internal")
    request.log.error({ err: error }, "a request failed through a fault of ours");
  const quotas = await quotasOf(house, request).catch(() => ({}));
  reply.headers(quotas);
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(problem.retryAfter));
  return send(reply, problem);
}

function send(reply: FastifyReply, problem: Problem): FastifyReply {
  return reply
    .code(problem.status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(problem.body));
}

/** Answers what the router can't even read; no handler of ours hears of it, and what is thrown here ends the process. */
export function refuseAddress(error: Error, _request: unknown, reply: FastifyReply): void {
  send(reply, asProblem(error));
}

/** What Fastify itself refuses, by its own codes. */
const known: Record<string, [ErrorCode, string?]> = {
  FST_ERR_CTP_BODY_TOO_LARGE: ["payload_too_large"],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: ["invalid_input", "The body is not as long as Content-Length says."],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type"],
  FST_ERR_BAD_URL: ["invalid_input", "The address is not well-formed."],
};

function asProblem(error: Error): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Overloaded)
    return new Problem("overloaded", undefined, { retryAfter: 1, cause: error });
  const { code } = error as FastifyError;
  const [name, message] = known[code] ?? ["internal"];
  return new Problem(name, message, { field: code === "FST_ERR_BAD_URL" ? "path" : undefined, cause: error });
}

/** Answers what is not even HTTP, then hangs up. */
export function refuseMalformed(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const status =
    error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify({ error: `${STATUS_CODES[status]}.`, code: "invalid_input" });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  );
}
