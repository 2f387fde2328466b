import type { Operations } from "@tandem/contract/operations";
import type { Provenance } from "@tandem/contract/resources";
import type { Received } from "../../http/context.ts";
import { unfitIn } from "../../http/files.ts";
import type { MediaUpload } from "../../media/upload.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** What a post's picture or video makes of its facts. */
export type MediaFacts = Pick<
  PostFacts,
  | "mediaType"
  | "mediaUrl"
  | "thumbnailUrl"
  | "originalUrl"
  | "width"
  | "height"
  | "durationSeconds"
  | "thumbHash"
  | "mediaState"
>;

type Files = Pick<Received<Operations["createPost"]>, "image" | "video" | "thumbnail">;

/** How pictures say what part AI had in them (IPTC: Digital Source Type). */
export const marks = {
  human: null,
  ai_generated: "trainedAlgorithmicMedia",
  ai_assisted: "compositeWithTrainedAlgorithmicMedia",
} as const satisfies Record<Provenance, string | null>;

/** Keeps what came with a post, and says what it is. Null for a post of words. A video wins (spec: creation rules). */
export async function keepMedia(
  keeper: MediaUpload,
  { image, video, thumbnail }: Files,
  provenance: Provenance,
): Promise<MediaFacts | null> {
  const mark = marks[provenance];
  if (video) {
    const poster = thumbnail && (await unfitIn("thumbnail", () => keeper.picture(thumbnail.path, mark)));
    const { address, ...size } = await unfitIn("video", () => keeper.video(video.path, video.is, mark));
    return {
      mediaType: "video",
      mediaUrl: address,
      originalUrl: null,
      ...size,
      ...posterFacts(poster ?? null),
      mediaState: poster ? "ready" : "preparing",
    };
  }
  if (!image) return null;
  const { full, feed, original, ...facts } = await unfitIn("image", () => keeper.picture(image.path, mark));
  return {
    mediaType: "image",
    mediaUrl: full,
    thumbnailUrl: feed,
    originalUrl: original,
    ...facts,
    durationSeconds: null,
    mediaState: "ready",
  };
}

/** What a poster adds to its video. */
export function posterFacts(poster: { feed: string; thumbHash: string } | null) {
  return { thumbnailUrl: poster?.feed ?? null, thumbHash: poster?.thumbHash ?? null };
}
