import { grantTypes } from "@tandem/contract/oauth";
import { OAuthError } from "./oauth-error.ts";
import { isOwnName, OWN_NAME } from "./own-name.ts";

const REDIRECTS = { count: 20, length: 2048 };

/** What this server uses of what an app says about itself. The protocol's library checks the values. */
const USED = ["client_id", "client_name", "jwks", "jwks_uri", "token_endpoint_auth_signing_alg"];

type Metadata = Record<string, unknown>;

/**
 * What an app says about itself (RFC 7591), without what has no meaning here: a server may replace and ignore metadata. All
 * apps count as native ones, so that redirects are either to an https address, to the device itself, or to a private scheme.
 * An app's secret would only prove that someone knows what the app's registration returned, so none is issued.
 */
export function usedMetadata(given: Metadata, baseUrl: string): Metadata {
  const asked = list(given.grant_types) ?? ["authorization_code"];
  const grants = grantTypes.filter((name) => name === "refresh_token" || asked.includes(name));
  const isKeyed = given.token_endpoint_auth_method === "private_key_jwt";
  return {
    ...pick(given, USED),
    redirect_uris: (list(given.redirect_uris) ?? []).filter((uri) => isUsable(uri, baseUrl)),
    grant_types: grants,
    response_types: grants.includes("authorization_code") ? ["code"] : [],
    application_type: "native",
    token_endpoint_auth_method: isKeyed ? "private_key_jwt" : "none",
  };
}

/** What an app is told after it has registered: what is used of what it said. */
export function registeredMetadata(stored: Metadata): Metadata {
  return pick(stored, [...USED, ...SET]);
}

const SET = [
  ...["client_id_issued_at", "redirect_uris", "grant_types", "response_types"],
  ...["application_type", "token_endpoint_auth_method"],
];

function pick(metadata: Metadata, names: string[]): Metadata {
  return Object.fromEntries(names.flatMap((name) => (name in metadata ? [[name, metadata[name]]] : [])));
}

/**
 * Throws {@link OAuthError} if an app can't be accepted. A registration has to be right; redirects that are unusable here are left out of
 * a description that is for other servers, too.
 */
export function checkMetadata(given: Metadata, baseUrl: string, { isRegistration = false } = {}): void {
  const redirects = list(given.redirect_uris) ?? [];
  if (isRegistration && redirects.length > REDIRECTS.count)
    throw unusable(`redirect_uris can have at most ${REDIRECTS.count} entries`);
  if (isRegistration && !redirects.every((uri) => isUsable(uri, baseUrl)))
    throw unusable(
      "redirect_uris must be https addresses, loopback addresses, or private schemes such as com.example.app:/done",
    );
  if (isOwnName(given.client_name))
    throw new OAuthError("invalid_client_metadata", `client_name can't be ${OWN_NAME}`);
  if (given.jwks_uri !== undefined && !isWebsite(given.jwks_uri))
    throw new OAuthError("invalid_client_metadata", "jwks_uri must be an https address");
}

function unusable(message: string): OAuthError {
  return new OAuthError("invalid_redirect_uri", message);
}

/** An https or loopback address, or a private scheme with a path. Others could run code, or name the person who follows them. */
function isUsable(uri: unknown, baseUrl: string): boolean {
  if (typeof uri !== "string" || uri.length > REDIRECTS.length || !URL.canParse(uri)) return false;
  const { username, password, host } = new URL(uri);
  if (username !== "" || password !== "" || host === new URL(baseUrl).host) return false;
  return /^[a-z][a-z0-9+.-]{2,}:\/.?/i.test(uri) && !RISKY.test(uri);
}

function isWebsite(address: unknown): boolean {
  if (typeof address !== "string" || !URL.canParse(address)) return false;
  const { protocol, username, password } = new URL(address);
  return protocol === "https:" && username === "" && password === "";
}

/** Schemes of browsers, systems and programs that do something with what they are given. Apps' own can't all be told from them. */
const RISKY = new RegExp(
  `^(${[
    ...["javascript", "vbscript", "livescript", "data", "blob", "file", "filesystem", "about", "view-source"],
    ...["jar", "res", "shell", "chrome", "chrome-.*", "edge", "opera", "brave", "vivaldi", "resource"],
    ...[
      "(moz|safari|safari-web)-extension",
      "(microsoft|google|x-safari)-.*",
      "ms-.*",
      "search",
      "search-ms",
    ],
    ...["intent", "android-app", "market", "itms.*", "apt", "steam", "magnet"],
    ...["mailto", "tel", "sms", "smsto", "mms", "callto", "facetime.*", "sip", "sips", "geo", "maps"],
    ...["ftp", "ftps", "sftp", "ssh", "telnet", "ldap", "ldaps", "smb", "nfs", "gopher", "news", "nntp"],
    ...["ws", "wss", "irc", "ircs", "git", "cid", "mid", "urn"],
  ].join("|")}):`,
  "i",
);

function list(value: unknown): unknown[] | null {
  return Array.isArray(value) ? value : null;
}
