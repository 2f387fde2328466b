import type { Operations } from "@tandem/contract/operations";
import type { Provenance } from "@tandem/contract/provenance";
import type { Received } from "../../http/context.ts";
import { namingField } from "../../http/files.ts";
import type { MediaUpload } from "../../media/upload.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** The facts that a post's picture or video determines. */
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

/** The IPTC Digital Source Type written into a post's files, by provenance. */
export const digitalSourceTypes = {
  human: null,
  ai_generated: "trainedAlgorithmicMedia",
  ai_assisted: "compositeWithTrainedAlgorithmicMedia",
} as const satisfies Record<Provenance, string | null>;

/** Stores the files of a post and returns the facts they determine. Null for a text post. A video wins over an image. */
export async function storeMedia(
  upload: MediaUpload,
  { image, video, thumbnail }: Files,
  provenance: Provenance,
): Promise<MediaFacts | null> {
  const mark = digitalSourceTypes[provenance];
  if (video) {
    const poster = thumbnail && (await namingField("thumbnail", () => upload.picture(thumbnail.path, mark)));
    const { address, ...size } = await namingField("video", () => upload.video(video.path, video.is, mark));
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
  const { full, feed, original, ...facts } = await namingField("image", () =>
    upload.picture(image.path, mark),
  );
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

/** The facts that a poster adds to its video. */
export function posterFacts(poster: { feed: string; thumbHash: string } | null) {
  return { thumbnailUrl: poster?.feed ?? null, thumbHash: poster?.thumbHash ?? null };
}
