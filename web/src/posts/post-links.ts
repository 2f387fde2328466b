import type { Post } from "@tandem/contract/post-resources";
import { remotePicture } from "@tandem/contract/remote-pictures";

/** An http(s) URL, or null. Blocks `javascript:` and other schemes. */
function webUrl(address: string | null): string | null {
  return address && /^https?:\/\//i.test(address) ? address : null;
}

/**
 * An imported post's URL on its own platform; null for posts made here, and for links without a page of their
 * own.
 */
export function originalOf({ platform, mediaType, mediaUrl, url }: Post): string | null {
  if (platform === "native" || (mediaType === "link" && url === mediaUrl)) return null;
  return webUrl(url);
}

/** The picture of a link's preview, or of an audio's cover. */
export const previewOf = ({ id, card, thumbnailUrl }: Post): string | null =>
  remotePicture(`posts/${id}`, card?.imageUrl ?? thumbnailUrl);

/** The target of a link post. */
export const linkOf = ({ mediaType, mediaUrl, url }: Post): string | null =>
  mediaType === "link" ? webUrl(mediaUrl ?? url) : null;

/** A URL's host, without "www.". */
export function hostOf(address: string): string {
  try {
    return new URL(address).hostname.replace(/^www\./, "");
  } catch {
    return address;
  }
}
