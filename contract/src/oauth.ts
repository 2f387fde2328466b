import { TOOLS_PATH } from "./documents.ts";

/** The endpoints of the authorization server. They aren't operations: their form is OAuth's. */
export const oauthPaths = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  revocation: "/oauth/revoke",
  registration: "/oauth/register",
  device_authorization: "/oauth/device_authorization",
} as const;

/** RFC 8628: how a device asks for its token. */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

export const grantTypes = ["authorization_code", "refresh_token", DEVICE_GRANT] as const;

/** How apps identify themselves. There are no shared secrets. */
export const clientAuthMethods = ["none", "private_key_jwt"] as const;

/** RFC 8414: the authorization server's metadata. */
export const SERVER_METADATA_PATH = "/.well-known/oauth-authorization-server";

/** RFC 9728: the metadata of a protected resource, by its path: who issues tokens for it. */
export function resourceMetadataPath(path: string): string {
  return `/.well-known/oauth-protected-resource${path}`;
}

/** The page on which people enter the code of a device. */
export const DEVICE_PATH = "/device";

/** What every token allows. A key needs no scope to read, but OAuth has no tokens without one. */
export const READ_SCOPE = "read";

/**
 * Apps begin to ask for access when they are refused. Without a credential, the MCP endpoint offers what anyone can read, so an
 * app that should act for someone uses an address that refuses.
 */
export const LOGIN_PARAMETER = "login";
export const TOOLS_LOGIN_PATH = `${TOOLS_PATH}?${LOGIN_PARAMETER}`;
