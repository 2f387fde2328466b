import { type FileType, fileTypes, pictureTypes, videoTypes } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";

type MediaKind = "picture" | "video";

/** What is wrong with a file before it is sent; bytes that it may have, where it is too large. */
export type Unfit = { reason: "type" } | { reason: "size"; most: number };

/** What file pickers offer. */
export const acceptsOf = (types: readonly FileType[]): string =>
  types.flatMap((type) => [fileTypes[type].mime, `.${fileTypes[type].extension}`]).join(",");

/** By what the browser takes it for, or by its name where it knows no better. The service looks into the file. */
export function kindOf({ name, type }: { name: string; type: string }): MediaKind | null {
  const is = (types: readonly FileType[]) =>
    types.some((one) => {
      const { mime, extension } = fileTypes[one];
      return type === mime || (type === "" && name.toLowerCase().endsWith(`.${extension}`));
    });
  if (is(pictureTypes)) return "picture";
  return is(videoTypes) ? "video" : null;
}

const most: Record<MediaKind, number> = { picture: limits.imageBytes, video: limits.videoBytes };

/** Null where it can be sent. */
export function unfitness(file: File): Unfit | null {
  const kind = kindOf(file);
  if (kind === null) return { reason: "type" };
  return file.size > most[kind] ? { reason: "size", most: most[kind] } : null;
}

/** A video's poster is a picture. */
export function unfitPoster(file: File): Unfit | null {
  if (kindOf(file) !== "picture") return { reason: "type" };
  return file.size > limits.thumbnailBytes ? { reason: "size", most: limits.thumbnailBytes } : null;
}
