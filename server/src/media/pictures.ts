import type { PictureFacts, Preparation, PreparedPicture } from "./draw.ts";
import type { SourceType } from "./source-type.ts";
import { apart } from "./worker-pool.ts";

export type { PictureFacts, PictureFile, PreparedPicture } from "./draw.ts";
export type { SourceType } from "./source-type.ts";

/** What is asked of the files that are made. */
export interface Wanted {
  /** What they say of how the picture was made; null, if that is for the picture itself to say. */
  mark: SourceType | null;
}

/**
 * What the picture's header says, once it is within the limits: nothing is decoded. Throws `InvalidMedia`, as all here
 * do for a file that isn't a picture, is too large or can't be read.
 */
export function inspectPicture(path: string): Promise<PictureFacts> {
  return apart("inspectPicture", { path });
}

/**
 * Writes what is shown of a picture into a folder: WebP, upright, in sRGB, without a word about place or device.
 *
 * `full` is at most 2048 wide, and `feed` 720, unless `full` is as small already; none is larger than the picture. Of
 * an animation the first picture is taken. `original` is the sender's own file. It is there only if it carries content
 * credentials, which hold for its very bytes, and names no place; it is to be offered as a download, never shown.
 */
export function preparePicture(path: string, outDir: string, { mark }: Wanted): Promise<PreparedPicture> {
  return prepare("preparePicture", { path, outDir, mark });
}

/** Writes a square `large` (512) and a square `small` (128), cut around what the eye goes to. */
export function prepareAvatar(path: string, outDir: string, { mark }: Wanted): Promise<PreparedPicture> {
  return prepare("prepareAvatar", { path, outDir, mark });
}

function prepare(name: "preparePicture" | "prepareAvatar", input: Preparation): Promise<PreparedPicture> {
  return apart(name, input, PREPARING);
}

/** Seconds: a HEIC of 48 megapixels takes a slow machine that long. */
const PREPARING = 60;
