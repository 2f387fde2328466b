/** The endpoints of the authorization server. */
export const oauthPaths = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  revocation: "/oauth/revoke",
  registration: "/oauth/register",
  device_authorization: "/oauth/device_authorization",
} as const;

/** The page on which people enter the code of a device. */
export const DEVICE_PATH = "/device";

/** The page on which people answer an app's request. */
export function consentPath(request: string): string {
  return `/connect/${request}`;
}

/** The page that says why an app's request can't go on. */
export function problemPath(code: string): string {
  return `/connect?error=${encodeURIComponent(code)}`;
}
