import { type FileType, fileTypes, pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";

type MediaKind = "picture" | "video";

/** Why a file can't be used; with the size limit in bytes if it is too large. `name`: which of several. */
export type FileProblem = (
  | { reason: "type" }
  | { reason: "size"; maxBytes: number }
  | { reason: "count" }
) & { name?: string };

/** The `accept` attribute of a file input. */
export const acceptAttribute = (types: readonly FileType[]): string =>
  types.flatMap((type) => [fileTypes[type].mime, `.${fileTypes[type].extension}`]).join(",");

/**
 * The kind of a file by its MIME type, or by its extension if the browser knows no type. The server checks
 * the content.
 */
export function mediaKind({ name, type }: { name: string; type: string }): MediaKind | null {
  const matches = (types: readonly FileType[]) =>
    types.some((candidate) => {
      const { mime, extension } = fileTypes[candidate];
      return type === mime || (type === "" && name.toLowerCase().endsWith(`.${extension}`));
    });
  if (matches(pictureTypes)) return "picture";
  return matches(videoTypes) ? "video" : null;
}

const maxBytes: Record<MediaKind, number> = { picture: limits.imageBytes, video: limits.videoBytes };

/** Null if the file can be used. */
export function checkMedia(file: File): FileProblem | null {
  const kind = mediaKind(file);
  if (kind === null) return { reason: "type" };
  return file.size > maxBytes[kind] ? { reason: "size", maxBytes: maxBytes[kind] } : null;
}

/** A video's poster must be a picture. */
export function checkPoster(file: File): FileProblem | null {
  if (mediaKind(file) !== "picture") return { reason: "type" };
  return file.size > limits.thumbnailBytes ? { reason: "size", maxBytes: limits.thumbnailBytes } : null;
}
