import { A2A_PATH, documents, TOOLS_PATH } from "@tandem/contract/documents";
import { LOG_PATH } from "@tandem/contract/log/entry";
import { oauthPaths } from "@tandem/contract/oauth";
import { SIGNATURE_RESULT } from "@tandem/contract/signatures";
import type { FastifyInstance } from "fastify";

const { authorization: _forPeople, ...oauthForApps } = oauthPaths;
/** What pages of other sites may call: with a key, or without a credential. */
const openPaths = new Set<string>([
  ...Object.values(documents),
  ...Object.values(oauthForApps),
  TOOLS_PATH,
  A2A_PATH,
]);
const openFolders = ["/api/", "/.well-known/", "/developers/", "/errors/", `${LOG_PATH}/`];

/** Headers that scripts may read, besides those that they always may. */
export const exposedHeaders = [
  "Allow",
  "ETag",
  "Idempotency-Replayed",
  "Link",
  "RateLimit",
  "RateLimit-Limit",
  "RateLimit-Policy",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "Retry-After",
  SIGNATURE_RESULT,
  "WWW-Authenticate",
  "X-Request-Id",
].join(", ");

/** What a preflight allows. A wildcard wouldn't cover `Authorization`. */
const preflight = {
  "access-control-allow-methods": "GET, HEAD, POST, PATCH, DELETE",
  "access-control-allow-headers": [
    "A2A-Extensions",
    "A2A-Version",
    "Authorization",
    "Content-Digest",
    "Content-Type",
    "Idempotency-Key",
    "If-None-Match",
    "Last-Event-ID",
    "MCP-Protocol-Version",
    "Mcp-Method",
    "Mcp-Name",
    "Mcp-Session-Id",
    "Signature",
    "Signature-Agent",
    "Signature-Input",
  ].join(", "),
  "access-control-max-age": "86400",
};

/**
 * Lets pages of all sites call the API with a key, and read its documents. Never with a cookie: browsers let scripts read a response to
 * a request with cookies only if it has `Access-Control-Allow-Credentials`, which none has, and `checkOrigin` refuses such writes.
 */
export function allowOtherOrigins(server: FastifyInstance): void {
  server.addHook("onRequest", (request, reply, done) => {
    if (!isOpen(request.url)) return done();
    reply.header("access-control-allow-origin", "*");
    const { origin, "access-control-request-method": asked } = request.headers;
    if (origin === undefined) return done();
    if (request.method === "OPTIONS" && asked !== undefined)
      return void reply.code(204).headers(preflight).send();
    reply.header("access-control-expose-headers", exposedHeaders);
    done();
  });
}

function isOpen(url: string): boolean {
  if (openFolders.some((folder) => url.startsWith(folder))) return true;
  const query = url.indexOf("?");
  return openPaths.has(query < 0 ? url : url.slice(0, query));
}
