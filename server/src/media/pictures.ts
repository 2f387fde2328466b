import type { PictureFacts, PictureFile, Preparation, PreparedPicture } from "./draw.ts";
import type { RemoteSize } from "./draw-remote.ts";
import type { SourceType } from "./source-type.ts";
import { runInWorker } from "./worker-pool.ts";

export type { PictureFacts, PictureFile, PreparedPicture } from "./draw.ts";
export type { SourceType } from "./source-type.ts";

/** Options for the created files. */
export interface Wanted {
  /** The AI mark to embed; null to keep only the picture's own. */
  mark: SourceType | null;
}

/**
 * Reads the picture's header and metadata and checks the limits, without decoding. Like all functions here, throws `InvalidMedia`
 * for a file that isn't a picture, is too large or can't be read.
 */
export function inspectPicture(path: string): Promise<PictureFacts> {
  return runInWorker("inspectPicture", { path });
}

/**
 * Writes a picture's renditions into a folder: WebP, upright, in sRGB, without metadata about place or device.
 *
 * `full` is at most 2048 pixels wide and `feed` 720; `feed` is omitted if `full` is that small already. Nothing is
 * enlarged. Of an animation, the first frame is used. `original` is the uploaded file. It is included only if it has
 * content credentials, which are valid for these exact bytes, and reveals no place; offer it for download, never show
 * it.
 */
export function preparePicture(path: string, outDir: string, { mark }: Wanted): Promise<PreparedPicture> {
  return prepare("preparePicture", { path, outDir, mark });
}

/** Writes a square `large` (512) and a square `small` (128), cropped to the most salient region. */
export function prepareAvatar(path: string, outDir: string, { mark }: Wanted): Promise<PreparedPicture> {
  return prepare("prepareAvatar", { path, outDir, mark });
}

/** Writes a `large` of 1500 × 500 or the same shape, cropped to the most salient region. */
export function prepareBanner(path: string, outDir: string, { mark }: Wanted): Promise<PreparedPicture> {
  return prepare("prepareBanner", { path, outDir, mark });
}

/** The sizes that pictures of other hosts are served in: of authors, in lists, and opened. */
export type { RemoteSize } from "./draw-remote.ts";

/** Writes one rendition of another host's picture. GIF and AVIF are accepted, too; SVG is not. */
export function prepareRemote(
  path: string,
  outDir: string,
  { size, mark }: Wanted & { size: RemoteSize },
): Promise<PictureFile> {
  return runInWorker("prepareRemote", { path, outDir, size, mark });
}

function prepare(
  name: "preparePicture" | "prepareAvatar" | "prepareBanner",
  input: Preparation,
): Promise<PreparedPicture> {
  return runInWorker(name, input, PREPARING);
}

/** Seconds; decoding a 48-megapixel HEIC takes this long on a slow machine. */
const PREPARING = 60;
