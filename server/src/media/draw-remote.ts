/** Decodes and converts pictures of other hosts, in a worker process; see `pictures.ts`. */
import { readFile } from "node:fs/promises";
import type { ResizeOptions } from "sharp";
import { decode, fromPixels, openBytes, ownMark, type PictureFile, write } from "./draw.ts";
import { InvalidMedia } from "./invalid-media.ts";
import { remoteKindOf } from "./kind.ts";
import { type SourceType, strongest } from "./source-type.ts";

const inside = { fit: "inside", withoutEnlargement: true } as const;

/** Twice the pixels that the web app shows, for dense screens. The heights allow strips. */
const sizes = {
  avatar: { width: 160, height: 160, fit: "cover", withoutEnlargement: true },
  card: { width: 1280, height: 5120, ...inside },
  full: { width: 2048, height: 8192, ...inside },
} satisfies Record<string, ResizeOptions>;

export type RemoteSize = keyof typeof sizes;

interface Wanted {
  path: string;
  outDir: string;
  size: RemoteSize;
  /** The AI mark to embed; null to keep only the picture's own. */
  mark: SourceType | null;
}

export async function prepareRemote({ path, outDir, size, mark: asked }: Wanted): Promise<PictureFile> {
  const bytes = await readFile(path);
  const kind = remoteKindOf(bytes);
  if (kind === null) throw new InvalidMedia("The file isn't a picture of a supported format.");
  const picture = await openBytes(kind, bytes);
  const mark = strongest(asked, ownMark(picture));
  return write(fromPixels(await decode(picture, sizes[size])), { outDir, variant: "remote", mark });
}
