/** The page on which people answer an app's request. */
export function consentPath(request: string): string {
  return `/connect/${request}`;
}

/** The page that says why an app's request can't go on. */
export function problemPath(code: string): string {
  return `/connect?error=${encodeURIComponent(code)}`;
}
