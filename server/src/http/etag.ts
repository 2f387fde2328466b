import { crc32 } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { JsonText } from "./context.ts";

/**
 * Sends JSON; to a GET with its `ETag`, or as 304 where the client has these very bytes already.
 * The tag tells versions of one page apart, which a checksum and a length do at a third of a hash's cost.
 */
export function sendJson(request: FastifyRequest, reply: FastifyReply, json: JsonText): FastifyReply {
  reply.header("content-type", "application/json; charset=utf-8");
  if (request.method !== "GET" && request.method !== "HEAD")
    return reply.header("cache-control", "no-store").send(json.text);
  const { bytes } = json;
  const tag = `W/"${bytes.length.toString(36)}-${crc32(bytes).toString(36)}"`;
  reply.header("etag", tag);
  reply.header("cache-control", "private, no-cache");
  reply.header("vary", "Authorization, Cookie");
  if (matches(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.send(bytes);
}

function matches(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return (
    header.trim() === "*" || header.split(",").some((one) => one.trim().replace(/^W\//, "") === tag.slice(2))
  );
}
