import { hasThreads, type ThreadPlatform } from "@tandem/contract/origins";
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
export function originalOf(post: Post): string | null {
  const { platform, mediaType, mediaUrl, url } = post;
  if (platform === "native") return null;
  if (mediaType !== "link" || url !== mediaUrl) return webUrl(url);
  return platform === "rss" ? null : threadOf(post);
}

/** The address of a post that its author imported from an export, as that says. */
export const importedOf = ({ origin }: Post): string | null => webUrl(origin?.url ?? null);

/** The page of an imported post at its origin, with its comments; null if it is the linked page itself, or unknown. */
export function threadOf({ platform, mediaType, mediaUrl, origin }: Post): string | null {
  if (platform === "native") return null;
  const url = webUrl(origin?.url ?? null);
  return mediaType === "link" && url === mediaUrl && origin?.commentCount === null ? null : url;
}

/** Where the comments at a post's origin are read from; null if the origin has none. */
export function originThreadOf(post: Post): { platform: ThreadPlatform; url: string } | null {
  const url = threadOf(post);
  return hasThreads(post.platform) && url !== null ? { platform: post.platform, url } : null;
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
