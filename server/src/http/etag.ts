import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Sends JSON; to a GET with its `ETag`, or as 304 where the client has these very bytes already. */
export function sendJson(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  reply.header("content-type", "application/json; charset=utf-8");
  if (request.method !== "GET" && request.method !== "HEAD") return reply.send(text);
  const bytes = Buffer.from(text);
  const tag = `W/"${createHash("sha1").update(bytes).digest("base64url")}"`;
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
