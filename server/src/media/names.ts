import { createHash, randomBytes } from "node:crypto";
import { fileTypes, pictureTypes, videoTypes } from "@tandem/contract/files";

/** MIME types by file extension. */
const types: Record<string, string> = {
  ...Object.fromEntries(
    [...pictureTypes, ...videoTypes].map((type) => [fileTypes[type].extension, fileTypes[type].mime]),
  ),
  avif: "image/avif",
};

export const MEDIA_PATH = "/media/";

/** Marks the uploader's original file; between hash and extension. */
const ORIGINAL = ".original";

const NAME = new RegExp(`^[A-Za-z0-9_-]{43}(${ORIGINAL})?\\.(${Object.keys(types).join("|")})$`);

/** Whether this is a valid media name. A valid name is a single path segment, so it can't escape a directory. */
export function isMediaName(name: string): boolean {
  return NAME.test(name);
}

/**
 * A new name for a file with this checksum. It is salted, so that it can't be guessed or reveal whether someone else
 * has uploaded the same file, and equal files of two people can be deleted independently.
 */
export function nameFor(sha256: Buffer, extension: string, original = false): string {
  const hash = createHash("sha256").update(randomBytes(32)).update(sha256).digest("base64url");
  return `${hash}${original ? ORIGINAL : ""}.${extension}`;
}

/** Whether it is an uploader's original file instead of our rendition: offered for download, not for display. */
export function isOriginal(name: string): boolean {
  return name.includes(ORIGINAL);
}

export function mimeOf(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

/** The path of a stored file, relative to the service's base URL. */
export function mediaAddress(name: string): string {
  return MEDIA_PATH + name;
}
