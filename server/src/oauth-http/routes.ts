import { type ErrorCode, errors } from "@tandem/contract/errors";
import { limits } from "@tandem/contract/limits";
import {
  LOGIN_PARAMETER,
  oauthPaths,
  resourceMetadataPath,
  SERVER_METADATA_PATH,
} from "@tandem/contract/oauth";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAnsweredIn } from "../features/oauth/authorization-requests.ts";
import { handleOAuth, type OAuthResponse } from "../features/oauth/authorization-server.ts";
import { OAuthError } from "../features/oauth/oauth-error.ts";
import type { Endpoint } from "../features/oauth/parameters.ts";
import { problemPath } from "../features/oauth/paths.ts";
import { protectedPaths } from "../features/oauth/resources.ts";
import { authenticate } from "../http/credential.ts";
import { asProblem } from "../http/errors.ts";
import type { Services } from "../http/services.ts";
import { resourceMetadata, serverMetadata } from "./metadata.ts";

/** What the log calls these requests. */
const names = {
  token: "issueToken",
  revocation: "revokeToken",
  registration: "registerApp",
  device_authorization: "requestDeviceCode",
} as const;

/**
 * The endpoints by which apps get access: OAuth 2.1, for people who authorize them. As the protocol demands, they ignore parameters
 * that they don't know, and errors have the protocol's shape.
 */
export function mountOAuth(server: FastifyInstance, services: Services): void {
  serveMetadata(server, services);
  server.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(error as Error, request, reply));
    mountAuthorization(scope, services);
    for (const endpoint of Object.keys(names) as (keyof typeof names)[])
      scope.post(oauthPaths[endpoint], { bodyLimit: limits.appBytes }, async (request, reply) => {
        request.securityEvent = names[endpoint];
        return forward(services, request, reply, { endpoint });
      });
  });
}

function mountAuthorization(scope: FastifyInstance, services: Services): void {
  // A HEAD would do what a GET does, and then no one would see it.
  const options = { exposeHeadRoute: false };
  scope.get(oauthPaths.authorization, options, async (request, reply) => {
    const response = await respond(services, request, { endpoint: "authorization" });
    const code = toldToApp(services, response.headers.location);
    // A link to here must not lead people to any website that has registered as an app, so no one is sent on before they have answered.
    if (code !== null && isForPeople(request)) return showProblem(reply, code);
    return send(request, reply, response);
  });
  // After someone has answered. Another session can't go on with what this one allowed.
  const resumed = `${oauthPaths.authorization}/:id`;
  scope.get<{ Params: { id: string } }>(resumed, options, async (request, reply) => {
    const { cookie } = request.headers;
    const { id } = request.params;
    const { caller } = await authenticate(services, { cookie });
    if (!(await isAnsweredIn(services.storage.read, id, caller?.sessionId ?? null)))
      throw new OAuthError(
        "invalid_request",
        "This request was answered in another session, or has expired.",
      );
    return forward(services, request, reply, { endpoint: "resume", id });
  });
}

/** Of a redirect back to the app, the error that it is told; null for others, and for other responses. */
function toldToApp({ baseUrl }: Services, location: string | undefined): string | null {
  if (location === undefined) return null;
  const url = new URL(location, baseUrl);
  if (url.origin === new URL(baseUrl).origin) return null;
  return new URLSearchParams(url.search || url.hash.slice(1)).get("error") ?? "server_error";
}

async function forward(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
  target: { endpoint: Endpoint; id?: string },
): Promise<FastifyReply> {
  return send(request, reply, await respond(services, request, target));
}

function respond(
  services: Services,
  request: FastifyRequest,
  target: { endpoint: Endpoint; id?: string },
): Promise<OAuthResponse> {
  const { "content-type": contentType, authorization, cookie } = request.headers;
  const { url = "" } = request.raw;
  return handleOAuth(services, {
    ...target,
    query: url.includes("?") ? url.slice(url.indexOf("?") + 1) : "",
    contentType,
    authorization,
    cookie,
    body: request.body instanceof Buffer ? request.body : null,
    address: request.ip,
  });
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  { status, headers, body, keyId }: OAuthResponse,
): FastifyReply {
  if (keyId !== null) request.target = `key:${keyId}`;
  if (status >= 400 && isForPeople(request)) return showProblem(reply, codeIn(body));
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body);
}

/** Errors that can't be sent to the app are shown to the person who came from it. */
function isForPeople({ method, headers }: FastifyRequest): boolean {
  return method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}

function showProblem(reply: FastifyReply, code: string): FastifyReply {
  return reply.header("cache-control", "no-store").redirect(problemPath(code), 303);
}

function codeIn(body: Buffer): string {
  try {
    return String(JSON.parse(body.toString()).error);
  } catch {
    return "server_error";
  }
}

/** The protocol's codes for errors of the service. All others are the app's fault, unless their status says otherwise. */
const codes: Partial<Record<ErrorCode, string>> = {
  overloaded: "temporarily_unavailable",
  rate_limited: "temporarily_unavailable",
};

/** RFC 6749, 5.2. */
function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof OAuthError) return sendCode(request, reply, 400, error.code, error.message);
  const problem = asProblem(error);
  if (problem.code === "internal") request.log.error({ err: error }, "an OAuth request failed unexpectedly");
  if (problem.retryAfter !== undefined) reply.header("retry-after", String(problem.retryAfter));
  reply.errorCode = problem.code;
  const { status } = errors[problem.code];
  const code = codes[problem.code] ?? (status >= 500 ? "server_error" : "invalid_request");
  return sendCode(request, reply, status, code, problem.message);
}

function sendCode(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  code: string,
  message: string,
): FastifyReply {
  if (isForPeople(request)) return showProblem(reply, code);
  return reply
    .code(status)
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: code, error_description: message }));
}

function serveMetadata(server: FastifyInstance, services: Services): void {
  const serve = (path: string, document: (query: object) => object) => {
    server.get(path, async (request, reply) =>
      reply
        .header("cache-control", "public, max-age=300")
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(document(request.query as object))),
    );
  };
  serve(SERVER_METADATA_PATH, () => serverMetadata(services.baseUrl));
  // The metadata of an address with a query is at an address with the same query.
  for (const path of protectedPaths.filter((one) => !one.includes("?")))
    serve(resourceMetadataPath(path), (query) => {
      const asked = `${path}?${LOGIN_PARAMETER}`;
      const isLogin = LOGIN_PARAMETER in query && protectedPaths.includes(asked);
      return resourceMetadata(services.baseUrl, isLogin ? asked : path);
    });
}
