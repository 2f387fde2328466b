import { A2A_PATH, TOOLS_PATH } from "@tandem/contract/documents";
import { LOGIN_PARAMETER, READ_SCOPE, resourceMetadataPath, TOOLS_LOGIN_PATH } from "@tandem/contract/oauth";
import { fieldScopesOf, type Operation } from "@tandem/contract/operation";
import { scopeNames } from "@tandem/contract/scopes";
import type { FastifyRequest } from "fastify";
import type { ApiError } from "./api-error.ts";
import type { Services } from "./services.ts";

/**
 * The `WWW-Authenticate` header of a 401, or of a 403 for a missing scope (RFC 6750, RFC 9728): what is wrong with the
 * credential, and where an app gets one. Null for other errors.
 */
export function challengeOf(
  { baseUrl }: Services,
  { code, status, message, field }: Pick<ApiError, "code" | "status" | "message" | "field">,
  { headers, op, caller, url, query }: Pick<FastifyRequest, "headers" | "op" | "caller" | "url" | "query">,
): string | null {
  const isScope = code === "insufficient_scope";
  if (status !== 401 && !isScope) return null;
  const resource = resourceAt(url.split("?")[0] ?? "", query as object);
  const wrong = isScope ? "insufficient_scope" : headers.authorization !== undefined && "invalid_token";
  const ofField = isScope && op && field !== undefined && fieldScopesOf(op).get(field);
  const parameters = {
    realm: "Tandem",
    ...(wrong && { error: wrong, error_description: message }),
    scope: scopesFor(op, resource !== "", [...(caller?.key?.scopes ?? []), ...(ofField ? [ofField] : [])]),
    resource_metadata: `${baseUrl}${resourceMetadataPath(resource)}`,
  };
  const quoted = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
  return `Bearer ${quoted.join(", ")}`;
}

/** The protected resource at an address, whose metadata must name exactly this address. The API's is the whole service. */
function resourceAt(path: string, query: object): string {
  if (path === A2A_PATH) return A2A_PATH;
  if (path !== TOOLS_PATH) return "";
  return LOGIN_PARAMETER in query ? TOOLS_LOGIN_PATH : TOOLS_PATH;
}

/** The scopes that an app has, and the one that it needs now; to use all tools, all of them. */
function scopesFor(op: Operation | null, isTools: boolean, has: readonly string[]): string {
  const needed =
    op === null ? (isTools ? scopeNames : []) : op.access.kind === "scope" ? [op.access.scope] : [];
  return [...new Set([READ_SCOPE, ...has, ...needed])].join(" ");
}

function quotable(text: string): string {
  return text.replace(/["\\]/g, "'").replace(/[^ -~]/g, "?");
}
