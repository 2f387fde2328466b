import { type ErrorCode, errors } from "@tandem/contract/errors";
import { limits } from "@tandem/contract/limits";
import { oauthPaths, resourceMetadataPath, SERVER_METADATA_PATH } from "@tandem/contract/oauth";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isAnsweredIn } from "../features/oauth/authorization-requests.ts";
import { handleOAuth } from "../features/oauth/authorization-server.ts";
import { OAuthError } from "../features/oauth/oauth-error.ts";
import { problemPath } from "../features/oauth/paths.ts";
import { authenticate } from "../http/credential.ts";
import { asProblem } from "../http/errors.ts";
import type { Services } from "../http/services.ts";
import { protectedPaths, resourceMetadata, serverMetadata } from "./metadata.ts";

/** What the log calls these requests. */
const names = {
  token: "issueToken",
  revocation: "revokeToken",
  registration: "registerApp",
  device_authorization: "requestDeviceCode",
} as const;

/**
 * The endpoints by which apps get access: OAuth 2.1, for people who let them in. As the protocol demands, they ignore parameters
 * that they don't know, and errors have the protocol's shape.
 */
export function mountOAuth(server: FastifyInstance, services: Services): void {
  serveMetadata(server, services);
  server.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => sendError(error as Error, request, reply));
    mountAuthorization(scope, services);
    for (const [endpoint, name] of Object.entries(names)) {
      const path = oauthPaths[endpoint as keyof typeof names];
      scope.post(path, { bodyLimit: limits.appBytes }, async (request, reply) => {
        request.securityEvent = name;
        return forward(services, request, reply);
      });
    }
  });
}

function mountAuthorization(scope: FastifyInstance, services: Services): void {
  scope.get(oauthPaths.authorization, (request, reply) => forward(services, request, reply));
  // After someone has answered. Another session can't go on with what this one allowed.
  scope.get<{ Params: { id: string } }>(`${oauthPaths.authorization}/:id`, async (request, reply) => {
    const { cookie } = request.headers;
    const { caller } = await authenticate(services, { cookie });
    if (!(await isAnsweredIn(services.storage.read, request.params.id, caller?.sessionId ?? null)))
      throw new OAuthError(
        "invalid_request",
        "This request was answered in another session, or has expired.",
      );
    return forward(services, request, reply);
  });
}

async function forward(
  services: Services,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { "content-type": contentType, authorization, cookie } = request.headers;
  const { status, headers, body, keyId } = await handleOAuth(services, {
    method: request.method === "POST" ? "POST" : "GET",
    path: request.raw.url ?? "",
    contentType,
    authorization,
    cookie,
    body: request.body instanceof Buffer ? request.body : null,
    address: request.ip,
  });
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

/** The protocol's code for an error of the service. */
const codes: Partial<Record<ErrorCode, string>> = {
  internal: "server_error",
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
  const code = codes[problem.code] ?? "invalid_request";
  return sendCode(request, reply, errors[problem.code].status, code, problem.message);
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
    .send(JSON.stringify({ error: code, error_description: message }));
}

function serveMetadata(server: FastifyInstance, services: Services): void {
  const serve = (path: string, document: () => object) => {
    server.get(path, async (_request, reply) =>
      reply
        .header("cache-control", "public, max-age=300")
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(document())),
    );
  };
  serve(SERVER_METADATA_PATH, () => serverMetadata(services.baseUrl));
  for (const path of protectedPaths)
    serve(resourceMetadataPath(path), () => resourceMetadata(services.baseUrl, path));
}
