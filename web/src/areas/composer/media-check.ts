import { type FileType, fileTypes, pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";

type MediaKind = "picture" | "video";

/** What is wrong with a file before it is sent; bytes that it may have, where it is too large. */
export type FileProblem = { reason: "type" } | { reason: "size"; maxBytes: number };

/** What file pickers offer. */
export const acceptAttribute = (types: readonly FileType[]): string =>
  types.flatMap((type) => [fileTypes[type].mime, `.${fileTypes[type].extension}`]).join(",");

/** By what the browser takes it for, or by its name where it knows no better. The service looks into the file. */
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

/** Null where it can be sent. */
export function checkMedia(file: File): FileProblem | null {
  const kind = mediaKind(file);
  if (kind === null) return { reason: "type" };
  return file.size > maxBytes[kind] ? { reason: "size", maxBytes: maxBytes[kind] } : null;
}

/** A video's poster is a picture. */
export function checkPoster(file: File): FileProblem | null {
  if (mediaKind(file) !== "picture") return { reason: "type" };
  return file.size > limits.thumbnailBytes ? { reason: "size", maxBytes: limits.thumbnailBytes } : null;
}
