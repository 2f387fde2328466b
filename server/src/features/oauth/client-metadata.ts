import { OAuthError } from "./oauth-error.ts";

const GRANTS = ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"];
const REDIRECTS = { count: 20, length: 2048 };

/** What this server uses of what an app says about itself. The protocol's library checks the values. */
const USED = ["client_id", "client_name", "jwks", "jwks_uri", "token_endpoint_auth_signing_alg"];

type Metadata = Record<string, unknown>;

/**
 * What an app says about itself (RFC 7591), without what has no meaning here: a server may replace and ignore metadata. All
 * apps count as native ones, so that redirects are either to an https address, to the device itself, or to a private scheme.
 * An app's secret would only prove that someone knows what the app's registration returned, so none is issued.
 */
export function usedMetadata(given: Metadata): Metadata {
  const asked = list(given.grant_types) ?? ["authorization_code"];
  const grants = GRANTS.filter((name) => name === "refresh_token" || asked.includes(name));
  const isKeyed = given.token_endpoint_auth_method === "private_key_jwt";
  return {
    ...Object.fromEntries(USED.flatMap((name) => (name in given ? [[name, given[name]]] : []))),
    redirect_uris: (list(given.redirect_uris) ?? []).filter(isPlausible),
    grant_types: grants,
    response_types: grants.includes("authorization_code") ? ["code"] : [],
    application_type: "native",
    token_endpoint_auth_method: isKeyed ? "private_key_jwt" : "none",
  };
}

/** Throws {@link OAuthError} if an app's redirects are unusable. */
export function checkRedirects({ redirect_uris: given }: Metadata): void {
  const redirects = list(given) ?? [];
  if (redirects.length > REDIRECTS.count)
    throw unusable(`redirect_uris can have at most ${REDIRECTS.count} entries`);
  const bad = redirects.find((uri) => !isPlausible(uri));
  if (bad !== undefined)
    throw unusable(
      "redirect_uris must be https addresses, loopback addresses, or private schemes such as com.example.app:/done",
    );
}

function unusable(message: string): OAuthError {
  return new OAuthError("invalid_redirect_uri", message);
}

/** An https or loopback address, or a private scheme with a path. Others could run code, or name the person who follows them. */
function isPlausible(uri: unknown): boolean {
  if (typeof uri !== "string" || uri.length > REDIRECTS.length || !URL.canParse(uri)) return false;
  const { username, password, protocol } = new URL(uri);
  return username === "" && password === "" && /^[a-z][a-z0-9+.-]*:\/.?/i.test(uri) && !RISKY.has(protocol);
}

const RISKY = new Set(
  "javascript data vbscript blob file filesystem about view-source ftp mailto ws wss"
    .split(" ")
    .map((scheme) => `${scheme}:`),
);

function list(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}
