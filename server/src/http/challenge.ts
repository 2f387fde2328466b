import { TOOLS_PATH } from "@tandem/contract/documents";
import { READ_SCOPE, resourceMetadataPath } from "@tandem/contract/oauth";
import type { Operation } from "@tandem/contract/operation";
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
  { code, status, message }: Pick<ApiError, "code" | "status" | "message">,
  { headers, op, caller, url }: Pick<FastifyRequest, "headers" | "op" | "caller" | "url">,
): string | null {
  const isScope = code === "insufficient_scope";
  if (status !== 401 && !isScope) return null;
  const isTools = url.split("?")[0] === TOOLS_PATH;
  const wrong = isScope ? "insufficient_scope" : headers.authorization !== undefined && "invalid_token";
  const parameters = {
    realm: "Tandem",
    ...(wrong && { error: wrong, error_description: message }),
    scope: scopesFor(op, isTools, caller?.key?.scopes ?? []),
    resource_metadata: `${baseUrl}${resourceMetadataPath(isTools ? TOOLS_PATH : "")}`,
  };
  const quoted = Object.entries(parameters).map(([name, value]) => `${name}="${quotable(value)}"`);
  return `Bearer ${quoted.join(", ")}`;
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
