import type { AuthInfo, McpHttpHandler } from "@modelcontextprotocol/server";
import { TOOLS_PATH } from "@tandem/contract/documents";
import type { Connection } from "@tandem/mcp/connection";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { judgeOrigin } from "../http/access.ts";
import { ApiError } from "../http/api-error.ts";
import { authenticate } from "../http/credential.ts";
import { inProcessFetch } from "../http/in-process-fetch.ts";
import { ownScheme } from "../http/route.ts";
import type { Services } from "../http/services.ts";

/**
 * The tools for language models, for clients that reach the service over HTTP (Streamable HTTP of the Model Context
 * Protocol). Nothing is kept between requests, so any process answers any of them.
 */
export function mountTools(server: FastifyInstance, services: Services): void {
  // What the handler passes on unseen, from a request to the server that is made for it.
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
    return reply.send(await (await handler).fetch(asRequest(services, incoming, reply), { authInfo }));
  });
}

/** Loads the protocol's library with the first request: its schemas would slow down every start. */
async function openHandler(
  services: Services,
  connections: WeakMap<AuthInfo, Connection>,
): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import("@modelcontextprotocol/server");
  const { createTandemServer } = await import("@tandem/mcp/server");
  return createMcpHandler(
    ({ authInfo }) => {
      const connection = authInfo && connections.get(authInfo);
      if (!connection) throw new Error("A request lost its caller.");
      return createTandemServer(connection);
    },
    {
      onerror: (err) => services.log.debug({ err }, "a message to the tools was refused"),
      // There is nothing to subscribe to, and each stream would hold a socket.
      maxSubscriptions: 0,
    },
  );
}

/**
 * A key or nobody: a cookie counts for nothing here, so no page can make a browser speak for its user. Where the page
 * comes from is judged all the same, key or not, as the protocol wants it.
 */
async function admit(services: Services, request: FastifyRequest): Promise<void> {
  const { origin, "sec-fetch-site": site } = request.headers;
  // Nor does the name count that the request gives this address: another site's may have been pointed here.
  judgeOrigin({ method: request.method, origin, site: site as string | undefined }, services.baseUrl);
  const authorization = ownScheme(request.headers.authorization);
  request.caller = (await authenticate(services, { authorization })).caller;
}

/** What its tools do goes the way of every request, with its own key and from its own address. */
function connect(server: FastifyInstance, services: Services, request: FastifyRequest): Connection {
  const { authorization } = request.headers;
  const headers: Record<string, string> = request.caller && authorization ? { authorization } : {};
  return {
    client: { baseUrl: services.baseUrl, headers, fetch: inProcessFetch(server, request) },
    scopes: request.caller?.key?.scopes ?? null,
    files: false,
  };
}

function asRequest(services: Services, request: FastifyRequest, reply: FastifyReply): Request {
  const body = request.body instanceof Buffer ? request.body : Buffer.alloc(0);
  // A list of messages would be many calls for one request. The mark of an encoding is trimmed as blanks are.
  if (body.toString().trimStart().startsWith("["))
    throw new ApiError("invalid_input", "Send one message in each request.");
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) headers.set(name, String(value));
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return new Request(`${services.baseUrl}${TOOLS_PATH}`, {
    method: "POST",
    headers,
    body,
    signal: gone.signal,
  });
}
