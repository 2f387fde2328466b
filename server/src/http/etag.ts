import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import fresh from "fresh";
import type { JsonText } from "./context.ts";

/** Sends JSON for this caller, with an `ETag` for GET. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, json: JsonText): FastifyReply {
  if (request.method !== "GET" && request.method !== "HEAD") {
    reply.header("content-type", "application/json; charset=utf-8");
    return reply.header("cache-control", "no-store").send(json.text);
  }
  const { bytes } = json;
  return sendRead(request, reply, { bytes, tag: tagOf(bytes) });
}

/** Sends the JSON of a GET for this caller. */
export function sendRead(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, tag }: { bytes: Buffer; tag: string },
): FastifyReply {
  reply.header("content-type", "application/json; charset=utf-8");
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "Authorization, Cookie");
  return sendTagged(request, reply, bytes, tag);
}

/** Sends bytes with their `ETag`, or 304 if the client has them already. */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  bytes: Buffer,
  tag = tagOf(bytes),
): FastifyReply {
  reply.header("etag", tag);
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.send(bytes);
}

/** Checksum and length distinguish versions of one page at a third of the cost of a hash. */
export function tagOf(bytes: Buffer): string {
  return `W/"${bytes.length.toString(36)}-${crc32(bytes).toString(36)}"`;
}

/**
 * Whether the client has this version already. `fresh` gets `If-None-Match` only, because it would respond to a request with
 * `Cache-Control: no-cache` in full.
 */
export function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  return fresh({ "if-none-match": headers["if-none-match"] }, { etag: tag });
}

/** Adds request headers that the response depends on to `Vary`. */
export function varyBy(reply: FastifyReply, names: string): void {
  const before = reply.getHeader("vary");
  reply.header("vary", before === undefined ? names : `${before}, ${names}`);
}
