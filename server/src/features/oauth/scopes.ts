import { READ_SCOPE } from "@tandem/contract/oauth";
import { type Scope, scopeNames } from "@tandem/contract/scopes";
import { OAuthError } from "./oauth-error.ts";

/** The scopes that an app can ask for. */
export const oauthScopes: readonly string[] = [READ_SCOPE, ...scopeNames];

const openIdScopes = ["openid", "profile", "email", "offline_access"];

/** The keys' scopes among space-separated OAuth scopes. */
export function keyScopes(scope: unknown): Scope[] {
  const asked = typeof scope === "string" ? scope.split(" ") : [];
  return scopeNames.filter((name) => asked.includes(name));
}

/** A key's comma-separated scopes, as an app knows them. */
export function toOAuth(scopes: string): string {
  return [READ_SCOPE, ...scopes.split(",").filter(Boolean)].join(" ");
}

/**
 * What an app asks for, without what doesn't exist here. Without any, it asks for everything: people choose. Throws
 * {@link OAuthError} if nothing of it exists.
 */
export function normalizeScope(scope: string | null): string {
  const asked = scope?.split(" ").filter(Boolean) ?? [];
  const known = asked.length === 0 ? oauthScopes : oauthScopes.filter((name) => asked.includes(name));
  // Such as OpenID Connect's, which MCP clients add.
  const isForeign = asked.every((name) => openIdScopes.includes(name));
  if (known.length === 0 && !isForeign)
    throw new OAuthError("invalid_scope", `Unknown scope. Known ones: ${oauthScopes.join(", ")}.`);
  return [...new Set([READ_SCOPE, ...known])].join(" ");
}
