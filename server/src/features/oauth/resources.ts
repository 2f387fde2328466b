import { TOOLS_PATH } from "@tandem/contract/documents";

/**
 * The identifiers of the service as a protected resource (RFC 8707): as a whole, its API, and its MCP endpoint. A token for
 * one works for all: the tools of MCP call the API.
 */
export function resourcesOf(baseUrl: string): string[] {
  return [baseUrl, `${baseUrl}/`, `${baseUrl}/api`, `${baseUrl}${TOOLS_PATH}`];
}
