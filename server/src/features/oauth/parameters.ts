import type { oauthPaths } from "@tandem/contract/oauth";
import { OAuthError } from "./oauth-error.ts";
import { isOwnResource } from "./resources.ts";
import { normalizeScope } from "./scopes.ts";

/** `resume` is the authorization endpoint after someone has answered. */
export type Endpoint = keyof typeof oauthPaths | "resume";

const CLIENT = ["client_id", "client_secret", "client_assertion", "client_assertion_type"];

/** What the protocol's library gets to see; it would take other parameters for OpenID Connect. Requests in JWTs it refuses. */
const known: Partial<Record<Endpoint, readonly string[]>> = {
  authorization: [
    ...["client_id", "response_type", "redirect_uri", "scope", "state", "code_challenge"],
    ...["code_challenge_method", "resource", "prompt", "request", "request_uri"],
  ],
  device_authorization: [...CLIENT, "scope", "resource", "request"],
};

/** A form or query without what this server ignores. Throws {@link OAuthError} for what must not get to the library. */
export function preparedForm(baseUrl: string, endpoint: Endpoint, form: string): string {
  const given = new URLSearchParams(form);
  if (given.getAll("response_mode").some((mode) => mode !== "query"))
    throw new OAuthError("invalid_request", "response_mode must be query");
  const names = known[endpoint];
  const params = names ? new URLSearchParams([...given].filter(([name]) => names.includes(name))) : given;
  // Everyone is asked each time anyway. Only a request that forbids to ask is answered differently.
  if (params.get("prompt") !== "none") params.delete("prompt");
  nameResource(params, baseUrl, endpoint);
  // A renewed token has the scopes of its grant: a token of fewer would need a key of its own.
  if (endpoint === "token") params.delete("scope");
  // The library refuses parameters that are repeated.
  else if (names && params.getAll("scope").length < 2)
    params.set("scope", normalizeScope(params.get("scope")));
  return params.toString();
}

/** The library learns of another service's resource too late: only after it has used up a code or token. */
function nameResource(params: URLSearchParams, baseUrl: string, endpoint: Endpoint): void {
  const resources = params.getAll("resource");
  if (resources.every((one) => isOwnResource(baseUrl, one))) {
    if (resources.length > 0) params.set("resource", baseUrl);
  } else if (endpoint === "token")
    throw new OAuthError("invalid_target", "resource must be an address of this service");
}
