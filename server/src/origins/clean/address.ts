import { limits } from "@tandem/contract/limits";

/**
 * An address of the web, as it may be shown: absolute, http or https, without credentials, and no longer than a post's may be.
 * Null for all else.
 * @param base what a relative one is relative to
 */
export function webAddress(given: unknown, base?: string): string | null {
  if (typeof given !== "string") return null;
  const text = given.trim();
  if (text === "" || !URL.canParse(text, base)) return null;
  const url = new URL(text, base);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password || url.href.length > limits.url)
    return null;
  return url.href;
}

/** The first of several that is an address of the web. */
export function firstAddress(given: unknown[], base?: string): string | null {
  for (const one of given) {
    const address = webAddress(one, base);
    if (address) return address;
  }
  return null;
}
