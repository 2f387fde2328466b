import type { AuthInfo, McpHttpHandler } from "@modelcontextprotocol/server";
import { TOOLS_PATH } from "@tandem/contract/documents";
import { limits } from "@tandem/contract/limits";
import { LOGIN_PARAMETER } from "@tandem/contract/oauth";
import { LONGEST_NAME, unknownName } from "@tandem/contract/unknown-fields";
import type { Connection } from "@tandem/mcp/connection";
import { requestedOperation } from "@tandem/mcp/requested-operation";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { qualitiesIn } from "../http/accepted-encoding.ts";
import { checkOrigin, requireFieldScopes, requireScope } from "../http/access.ts";
import { ApiError, invalid } from "../http/api-error.ts";
import { authenticate, ownScheme } from "../http/credential.ts";
import { inProcessFetch } from "../http/in-process-fetch.ts";
import { boundJson } from "../http/json.ts";
import { hasKey, isKeyName } from "../http/key-in-address.ts";
import { signedBy } from "../http/request-verdict.ts";
import type { Services } from "../http/services.ts";

/** Bytes of a picture in a call, so that its base64 fits into the maximum size of a request. */
const MAX_PICTURE = Math.floor(limits.jsonBytes * 0.7);

/**
 * Serves the MCP tools over Streamable HTTP. It is stateless, so any process can serve any request.
 */
export function mountTools(server: FastifyInstance, services: Services): void {
  // Set by the handler for the server that it creates for a request.
  const connections = new WeakMap<AuthInfo, Connection>();
  let handler: Promise<McpHttpHandler> | undefined;
  server.addHook("onClose", async () => (await handler?.catch(() => undefined))?.close());
  server.post(TOOLS_PATH, { onRequest: (request) => admit(services, request) }, async (incoming, reply) => {
    const authInfo: AuthInfo = { token: "", clientId: "", scopes: [] };
    connections.set(authInfo, connect(server, services, incoming));
    handler ??= openHandler(services, connections).catch((error) => {
      // The next request tries again.
      handler = undefined;
      throw error;
    });
    const request = asRequest(services, incoming, reply);
    const response = await (await handler).fetch(request, { authInfo });
    return response.status === 406 ? reply.code(406).send(notAcceptable) : reply.send(response);
  });
}

/** The types of responses. Clients must accept both. */
const TYPES = ["application/json", "text/event-stream"];

/** In place of the MCP library's error, which doesn't say what to do. */
const notAcceptable = {
  jsonrpc: "2.0",
  id: null,
  error: {
    code: -32000,
    message: `Not acceptable: a response can be of either type, so send \`Accept: ${TYPES.join(", ")}\` or \`Accept: */*\`.`,
  },
};

/** Loads the MCP library on the first request, because its schemas would slow down every start. */
async function openHandler(
  services: Services,
  connections: WeakMap<AuthInfo, Connection>,
): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const { createTandemServer } = await import("@tandem/mcp/server");
  return createMcpHandler(
    ({ authInfo }) => {
      const connection = authInfo && connections.get(authInfo);
      if (!connection) throw new Error("The request has no connection");
      return createTandemServer(connection);
    },
    { onerror: (err) => services.log.debug({ err }, "an MCP message was rejected") },
  );
}

/**
 * Authenticates by key only, or anonymously. Cookies are ignored, so that no web page can act for its visitor. Without a key, the
 * origin is checked all the same, as MCP requires; a page of another site that has a key may use it.
 */
export async function admit(services: Services, request: FastifyRequest): Promise<void> {
  refuseKeyInAddress(request);
  const { origin, "sec-fetch-site": site } = request.headers;
  // The Host header isn't trusted, to prevent DNS rebinding.
  const authorization = ownScheme(request.headers.authorization);
  checkOrigin(
    { method: request.method, authorization, origin, site: site as string | undefined },
    services.baseUrl,
  );
  request.caller = (await authenticate(services, { authorization })).caller;
  if (!request.caller && LOGIN_PARAMETER in (request.query as object))
    throw new ApiError("unauthorized", "This address requires a key, or an app that someone authorized.");
}

/** Clients that can't set headers put the key into the address. It would be ignored there, and is exposed. */
function refuseKeyInAddress({ url, query, routeOptions, headers }: FastifyRequest): void {
  if (hasKey(url)) throw new ApiError("invalid_input", "A key doesn't belong in an address.");
  const name = Object.keys(query as object).find(isKeyName);
  if (name === undefined || headers.authorization !== undefined) return;
  const what = `The query of POST ${routeOptions.url}`;
  throw invalid(
    name.slice(0, LONGEST_NAME),
    unknownName("There is no query parameter", name, { what, takes: [LOGIN_PARAMETER] }),
  );
}

/** Tells an app in its protocol that it needs another scope, because it can ask for one. A key's user gets the tool's error. */
function checkScope(request: FastifyRequest, body: Buffer): void {
  const { caller } = request;
  if (!caller?.key?.isGrant) return;
  const requested = requestedOperation(parseMessage(body));
  if (!requested) return;
  const { op, input } = requested;
  request.op = op;
  if (op.access.kind === "scope") requireScope(caller, op.access);
  requireFieldScopes(caller, op, input);
  request.op = null;
}

/** Undefined if it isn't JSON: the MCP library responds to that. */
function parseMessage(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

/** Tools call the API in-process, with the request's key and client address. */
export function connect(server: FastifyInstance, services: Services, request: FastifyRequest): Connection {
  const { authorization } = request.headers;
  const headers: Record<string, string> = request.caller && authorization ? { authorization } : {};
  const send = inProcessFetch(server, request);
  const fetch: typeof send = (input, init) => signedBy(services, request, () => send(input, init));
  return {
    client: { baseUrl: services.baseUrl, headers, fetch },
    scopes: request.caller?.key?.scopes ?? null,
    byMeaning: services.config.similarPosts,
    files: { by: "base64", maxBytes: MAX_PICTURE },
  };
}

function asRequest(services: Services, request: FastifyRequest, reply: FastifyReply): Request {
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  boundJson(body);
  // A batch would be many calls in one request. `trim` also removes a byte order mark.
  if (body.toString().trimStart().startsWith("["))
    throw new ApiError("invalid_input", "Send one message per request. Batches aren't supported.");
  checkScope(request, body);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  // The MCP library looks for the names of both types.
  if (acceptsBoth(request.headers.accept)) headers.set("accept", TYPES.join(", "));
  const disconnected = new AbortController();
  reply.raw.once("close", () => disconnected.abort());
  return new Request(`${services.baseUrl}${TOOLS_PATH}`, {
    method: "POST",
    headers,
    body,
    signal: disconnected.signal,
  });
}

/** Whether an `Accept` header admits both types of responses (RFC 9110, 12.5.1). Without one, anything is acceptable. */
function acceptsBoth(accept = "*/*"): boolean {
  const qualities = qualitiesIn(accept);
  const rangesOf = (type: string) => [type, type.replace(/\/.*/, "/*"), "*/*"];
  // The most precise range decides.
  const qualityOf = (type: string) =>
    qualities.get(rangesOf(type).find((range) => qualities.has(range)) ?? "");
  return TYPES.every((type) => (qualityOf(type) ?? 0) > 0);
}
