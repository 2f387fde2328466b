import type { FoundMedia } from "../clean/item.ts";

/** A file of an entry: an enclosure, an attachment, or Media RSS content. */
export interface File {
  url?: unknown;
  /** Its MIME type. */
  type?: string;
  /** Media RSS's `medium`, such as `image`. */
  medium?: string;
  width?: number;
  height?: number;
  duration?: number;
  alt?: string;
}

/** Pictures and videos among files: videos first, then pictures by size. For audio, see `audio.ts`. */
export function mediaAmong(files: File[]): FoundMedia[] {
  return files
    .flatMap((file) => {
      const type = typeOf(file);
      if (!type) return [];
      const { url, width, height, duration, alt } = file;
      return [{ type, url, width, height, seconds: duration, alt }];
    })
    .toSorted((a, b) => rank(b) - rank(a));
}

function rank({ type, width }: { type: FoundMedia["type"]; width?: number }): number {
  return (type === "video" ? 1e6 : 0) + (width ?? 0);
}

function typeOf({ url, type = "", medium }: File): FoundMedia["type"] | null {
  const path = typeof url === "string" ? url.split(/[?#]/)[0] : "";
  const ending = /\.(\w+)$/.exec(path ?? "")?.[1]?.toLowerCase() ?? "";
  if (type === "image/gif" || (!type && ending === "gif")) return "gif";
  if (type.startsWith("image/") || medium === "image") return "image";
  if (type.startsWith("video/") || (medium === "video" && type === "")) return "video";
  if (type !== "" || medium) return null;
  if (["jpg", "jpeg", "png", "webp", "avif"].includes(ending)) return "image";
  return ["mp4", "m4v", "webm", "mov"].includes(ending) ? "video" : null;
}
