import { limits } from "@tandem/contract/limits";

/**
 * A web URL that is safe to show: absolute, http or https, without credentials, and within a post's length limit.
 * Otherwise null.
 * @param base the base for relative URLs
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

/** The first valid web URL of several. */
export function firstAddress(given: unknown[], base?: string): string | null {
  for (const one of given) {
    const address = webAddress(one, base);
    if (address) return address;
  }
  return null;
}
