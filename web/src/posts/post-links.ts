import type { Post } from "@tandem/contract/resources";

/** An address as a link may have it: of the web, and no script in disguise. */
function webUrl(address: string | null): string | null {
  return address && /^https?:\/\//i.test(address) ? address : null;
}

/** Where a gathered post stands on its own platform; null for those made here, and where nothing more is there. */
export function originalOf({ platform, mediaType, mediaUrl, url }: Post): string | null {
  if (platform === "native" || (mediaType === "link" && url === mediaUrl)) return null;
  return webUrl(url);
}

/** What a link post links to. */
export const linkOf = ({ mediaType, mediaUrl, url }: Post): string | null =>
  mediaType === "link" ? webUrl(mediaUrl ?? url) : null;

/** The name by which a page's site is known. */
export function hostOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^www\./, "");
  } catch {
    return address;
  }
}
