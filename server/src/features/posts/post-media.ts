import {
  type AiProvenance,
  digitalSourceTypes,
  mostAi,
  provenanceOfSourceType,
} from "@tandem/contract/digital-source-types";
import type { Operations } from "@tandem/contract/operations";
import type { PostPicture } from "@tandem/contract/post-resources";
import type { Provenance } from "@tandem/contract/provenance";
import type { Received } from "../../http/context.ts";
import { labelOf, namingField } from "../../http/files.ts";
import { strongest } from "../../media/source-type.ts";
import type { MediaUpload, StoredPicture } from "../../media/upload.ts";
import type { PostFacts } from "../../storage/post-fragment.ts";

/** The facts that a post's pictures or video determine. */
export type MediaFacts = Pick<
  PostFacts,
  | "mediaType"
  | "mediaUrl"
  | "thumbnailUrl"
  | "originalUrl"
  | "width"
  | "height"
  | "durationSeconds"
  | "pictures"
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

/** Stores the files of a post. Null for a text post. A video wins over images. */
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
  if (!image?.length) return null;
  // As one of them makes the post AI content, all get its mark.
  const wanted = image.map(({ is }) => is.mark).reduce(strongest, asked);
  const stored: StoredPicture[] = [];
  for (const [i, { path }] of image.entries()) {
    const label = labelOf("image", i, image.length);
    stored.push(await namingField("image", () => upload.picture(path, wanted), label));
  }
  return processedPictures(stored as [StoredPicture, ...StoredPicture[]]);
}

/** Stored pictures as the media of a post. */
export function processedPictures(stored: readonly [StoredPicture, ...StoredPicture[]]): ProcessedMedia {
  const [first] = stored;
  const { full, feed, original, mark, ...size } = first;
  const facts: MediaFacts = {
    mediaType: "image",
    mediaUrl: full,
    thumbnailUrl: feed,
    originalUrl: original,
    ...size,
    durationSeconds: null,
    ...(stored.length > 1 && { pictures: stored.map(asPicture) }),
    mediaState: "ready",
  };
  return { facts, stated: provenanceOfSourceType(mark) };
}

function asPicture({ full, feed, original, width, height, thumbHash }: StoredPicture): PostPicture {
  const originalUrl = original === null ? {} : { originalUrl: original };
  return { url: full, width, height, alt: null, thumbnailUrl: feed, thumbHash, ...originalUrl };
}

/** The facts that a poster adds to its video. */
export function posterFacts(poster: { feed: string; thumbHash: string } | null) {
  return { thumbnailUrl: poster?.feed ?? null, thumbHash: poster?.thumbHash ?? null };
}
