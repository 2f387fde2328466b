import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type FileType, fileTypes } from "@tandem/contract/files";
import { Overloaded, type Storage } from "../storage/storage.ts";
import { inFolder } from "./folder.ts";
import type { Media } from "./media.ts";
import { mediaAddress, nameFor } from "./names.ts";
import { prepareAvatar, preparePicture } from "./pictures.ts";
import { type MediaFile, namedOf } from "./rows.ts";
import { type inspectVideo, quickStart } from "./video.ts";

type Prepared = Awaited<ReturnType<typeof preparePicture>>;
type Mark = Parameters<typeof preparePicture>[2]["mark"];

/** A picture in the store, in its sizes. Addresses are relative to the service's. */
export interface KeptPicture {
  full: string;
  feed: string;
  /** The sender's own file, where it is to be had. */
  original: string | null;
  width: number;
  height: number;
  thumbHash: string;
}

export interface KeptVideo {
  address: string;
  width: number;
  height: number;
  durationSeconds: number;
}

/** Puts files into the store, and remembers which. */
export class Keeper {
  readonly files: MediaFile[] = [];
  readonly #media: Media;
  readonly #rehearsal: boolean;

  constructor(media: Media, rehearsal: boolean) {
    this.#media = media;
    this.#rehearsal = rehearsal;
  }

  /** Sizes a picture and keeps what comes out. Throws `UnfitMedia` where it can't be read to its end. */
  picture(path: string, mark: Mark): Promise<KeptPicture> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { files, width, height, thumbHash } = await preparePicture(path, folder, { mark });
      const { full = "", feed = full, original = null } = await this.#keepAll(files);
      return { full, feed, original, width, height, thumbHash };
    });
  }

  /** Makes an avatar of a picture and keeps it; gives back its address. */
  avatar(path: string): Promise<string> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { files } = await prepareAvatar(path, folder, { mark: null });
      const { large = "" } = await this.#keepAll(files.filter(({ variant }) => variant === "large"));
      return large;
    });
  }

  /** Keeps a video, written anew to play while it loads. Throws `UnfitMedia` where it can't be read to its end. */
  video(path: string, is: Awaited<ReturnType<typeof inspectVideo>>, mark: Mark): Promise<KeptVideo> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { width, height, duration: durationSeconds } = is;
      const quick = join(folder, "video.mp4");
      await quickStart(path, quick, mark);
      return { address: await this.#keep(quick, "mp4", "video", is), width, height, durationSeconds };
    });
  }

  async #keepAll(files: Prepared["files"]): Promise<Partial<Record<string, string>>> {
    const addresses: Record<string, string> = {};
    for (const file of files)
      addresses[file.variant] = await this.#keep(file.path, file.type, file.variant, file);
    return addresses;
  }

  async #keep(path: string, type: FileType, variant: string, size: { width: number; height: number }) {
    const name = nameFor(await checksum(path), fileTypes[type].extension, variant === "original");
    const { size: bytes } = await stat(path);
    const { width, height } = size;
    this.files.push({ name, variant, bytes, width, height });
    if (!this.#rehearsal) await this.#media.store.put(name, path);
    return mediaAddress(name);
  }
}

interface Keeping {
  /** Whether it is all undone in the end: then files are made, and aren't stored. */
  rehearsal?: boolean;
}

interface Log {
  warn(what: object, sentence: string): void;
}

/**
 * Does work that stores files and then names them in rows. Files that no row names in the end, because the work was
 * refused, are removed again; where it isn't known how it ended, the sweep will find out.
 */
export async function keeping<T>(
  { media, storage, log }: { media: Media; storage: Storage; log: Log },
  work: (keeper: Keeper) => Promise<T>,
  { rehearsal = false }: Keeping = {},
): Promise<T> {
  const keeper = new Keeper(media, rehearsal);
  if (rehearsal) return work(keeper);
  // How the work ended isn't changed by files that can't be removed just now: the sweep comes by.
  const drop = async () => {
    try {
      const names = keeper.files.map(({ name }) => name);
      const named = await namedOf(storage.read, names);
      await media.store.remove(names.filter((name) => !named.has(name)));
    } catch (err) {
      log.warn({ err }, "files that no row names could not be removed");
    }
  };
  try {
    const done = await work(keeper);
    await drop();
    return done;
  } catch (error) {
    if (!(error instanceof Overloaded)) await drop();
    throw error;
  }
}

async function checksum(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
