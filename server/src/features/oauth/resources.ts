import { A2A_PATH, TOOLS_PATH } from "@tandem/contract/documents";
import { TOOLS_LOGIN_PATH } from "@tandem/contract/oauth";

/** What is a protected resource with metadata of its own. The first is the whole service. */
export const protectedPaths = ["", "/api", TOOLS_PATH, TOOLS_LOGIN_PATH, A2A_PATH];

/**
 * Whether an address identifies this service as a protected resource (RFC 8707), with or without a slash at the end. A token for one works
 * for all, since tools call the API, so the protocol's library knows a single resource: the service.
 */
export function isOwnResource(baseUrl: string, resource: string): boolean {
  const name = canonical(resource);
  return name !== null && protectedPaths.some((path) => canonical(`${baseUrl}${path}`) === name);
}

function canonical(resource: string): string | null {
  if (!URL.canParse(resource) || resource.includes("#")) return null;
  const { origin, pathname, search, username, password } = new URL(resource);
  return username || password ? null : `${origin}${pathname.replace(/\/+$/, "")}${search}`;
}
