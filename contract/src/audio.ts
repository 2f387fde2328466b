import type { PostFragment } from "./post-resources.ts";

/** The length of a post's audio in seconds; null if it isn't known, because `durationSeconds` is a video's. */
export function audioSeconds({
  mediaType,
  durationSeconds,
}: Pick<PostFragment, "mediaType" | "durationSeconds">): number | null {
  return mediaType === "video" || mediaType === "gif" ? null : durationSeconds;
}
