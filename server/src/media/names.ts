import { createHash, randomBytes } from "node:crypto";
import { fileTypes } from "@tandem/contract/files";

/** What files are stored and served as, by the end of their names. */
const types: Record<string, string> = {
  ...Object.fromEntries(Object.values(fileTypes).map(({ extension, mime }) => [extension, mime])),
  avif: "image/avif",
};

export const MEDIA_PATH = "/media/";

/** Between hash and type of a sender's own file. */
const ORIGINAL = ".original";

const NAME = new RegExp(`^[A-Za-z0-9_-]{43}(${ORIGINAL})?\\.(${Object.keys(types).join("|")})$`);

/** Whether a file could have this name: then it is one part of a path, and leads nowhere else. */
export function isMediaName(name: string): boolean {
  return NAME.test(name);
}

/**
 * A name for content with this checksum. It changes with the content, so that what has the name never changes. And it
 * is salted: nobody can guess it, nor learn from it whether somebody else has the same file; and equal files of two
 * people have two names, so that each can be removed.
 */
export function nameFor(sha256: Buffer, extension: string, original = false): string {
  const hash = createHash("sha256").update(randomBytes(32)).update(sha256).digest("base64url");
  return `${hash}${original ? ORIGINAL : ""}.${extension}`;
}

/** Whether it is a sender's own file, which we haven't drawn: it is for keeping, not for looking at. */
export function isOriginal(name: string): boolean {
  return name.includes(ORIGINAL);
}

export function mimeOf(name: string): string {
  return types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
}

/** Where a stored file is served, relative to the service's address. */
export function mediaAddress(name: string): string {
  return MEDIA_PATH + name;
}
