import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import fresh from "fresh";
import { acceptedEncoding } from "./accepted-encoding.ts";
import { Content, type Sendable } from "./content.ts";
import type { JsonText } from "./context.ts";

/** Sends JSON for this caller, with an `ETag` for GET. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, json: JsonText): FastifyReply {
  if (request.method !== "GET" && request.method !== "HEAD") {
    reply.header("content-type", "application/json; charset=utf-8");
    return reply.header("cache-control", "no-store").send(json.text);
  }
  return sendRead(request, reply, new Content(json.pieces, "fast", json.tag));
}

/** Sends the JSON of a GET for this caller. */
export function sendRead(request: FastifyRequest, reply: FastifyReply, content: Content): FastifyReply {
  reply.header("content-type", "application/json; charset=utf-8");
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "Authorization, Cookie");
  return sendTagged(request, reply, content);
}

/** Sends content with its `ETag`, or 304 if the client has it already. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, content: Sendable): FastifyReply {
  reply.header("etag", content.tag);
  if (!isKnown(request.headers, content.tag)) return sendContent(request, reply, content);
  varyBy(reply, "Accept-Encoding");
  return reply.code(304).send();
}

/** Sends content, compressed if the client accepts that. */
export function sendContent(request: FastifyRequest, reply: FastifyReply, content: Sendable): FastifyReply {
  varyBy(reply, "Accept-Encoding");
  const encoding = content.isWorthCompressing ? acceptedEncoding(request.headers, request.op) : null;
  if (encoding === null) return reply.send(content.bytes);
  return reply.header("content-encoding", encoding).send(content.compressed(encoding));
}

/**
 * Whether the client has this version already. `fresh` gets `If-None-Match` only, because it would respond to a request with
 * `Cache-Control: no-cache` in full.
 */
export function isKnown(headers: IncomingHttpHeaders, tag: string): boolean {
  if (headers["if-none-match"] === undefined) return false;
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag: tag });
}

/** Adds request headers that the response depends on to `Vary`. */
export function varyBy(reply: FastifyReply, names: string): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? names : `${before}, ${names}`);
}
