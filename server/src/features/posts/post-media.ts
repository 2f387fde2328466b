import {
  type AiProvenance,
  digitalSourceTypes,
  mostAi,
  provenanceOfSourceType,
} from "@tandem/contract/digital-source-types";
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

/** The processed files of a post. */
export interface ProcessedMedia {
  facts: MediaFacts;
  /** What the files' own metadata say about AI, or what was declared if that says more; null if no one says so. */
  stated: AiProvenance | null;
}

/** Stores the files of a post. Null for a text post. A video wins over an image. */
export async function storeMedia(
  upload: MediaUpload,
  { image, video, thumbnail }: Files,
  provenance: Provenance,
): Promise<ProcessedMedia | null> {
  const asked = digitalSourceTypes[provenance];
  if (video) {
    const { address, mark, ...size } = await namingField("video", () =>
      upload.video(video.path, video.is, asked),
    );
    const poster = thumbnail && (await namingField("thumbnail", () => upload.picture(thumbnail.path, mark)));
    const facts: MediaFacts = {
      mediaType: "video",
      mediaUrl: address,
      originalUrl: null,
      ...size,
      ...posterFacts(poster ?? null),
      mediaState: poster ? "ready" : "preparing",
    };
    return { facts, stated: mostAi(provenanceOfSourceType(mark), provenanceOfSourceType(poster?.mark)) };
  }
  if (!image) return null;
  const { full, feed, original, mark, ...size } = await namingField("image", () =>
    upload.picture(image.path, asked),
  );
  const facts: MediaFacts = {
    mediaType: "image",
    mediaUrl: full,
    thumbnailUrl: feed,
    originalUrl: original,
    ...size,
    durationSeconds: null,
    mediaState: "ready",
  };
  return { facts, stated: provenanceOfSourceType(mark) };
}

/** The facts that a poster adds to its video. */
export function posterFacts(poster: { feed: string; thumbHash: string } | null) {
  return { thumbnailUrl: poster?.feed ?? null, thumbHash: poster?.thumbHash ?? null };
}
