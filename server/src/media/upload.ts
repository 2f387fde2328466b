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
import { filesWithRow, type MediaFile } from "./rows.ts";
import { type inspectVideo, quickStart } from "./video.ts";
import { MediaBusy } from "./worker-pool.ts";

type Prepared = Awaited<ReturnType<typeof preparePicture>>;
type Mark = Parameters<typeof preparePicture>[2]["mark"];

/** A stored picture in its sizes. URLs are relative to the service. */
export interface StoredPicture {
  full: string;
  feed: string;
  /** The original file, if it is offered for download. */
  original: string | null;
  width: number;
  height: number;
  thumbHash: string;
}

export interface StoredVideo {
  address: string;
  width: number;
  height: number;
  durationSeconds: number;
}

/** Stores an upload's files and records which. */
export class MediaUpload {
  readonly files: MediaFile[] = [];
  readonly #media: Media;
  readonly #dryRun: boolean;

  constructor(media: Media, dryRun: boolean) {
    this.#media = media;
    this.#dryRun = dryRun;
  }

  /** Stores a picture in all its sizes. Throws `InvalidMedia` if it can't be decoded. */
  picture(path: string, mark: Mark): Promise<StoredPicture> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { files, width, height, thumbHash } = await preparePicture(path, folder, { mark });
      const { full = "", feed = full, original = null } = await this.#storeAll(files);
      return { full, feed, original, width, height, thumbHash };
    });
  }

  /** Stores a picture as an avatar and returns its URL. */
  avatar(path: string): Promise<string> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { files } = await prepareAvatar(path, folder, { mark: null });
      const { large = "" } = await this.#storeAll(files.filter(({ variant }) => variant === "large"));
      return large;
    });
  }

  /** Stores a video, rewritten so that it plays while it loads. Throws `InvalidMedia` if it can't be decoded. */
  video(path: string, is: Awaited<ReturnType<typeof inspectVideo>>, mark: Mark): Promise<StoredVideo> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { width, height, duration: durationSeconds } = is;
      const quick = join(folder, "video.mp4");
      await quickStart(path, quick, mark);
      return { address: await this.#store(quick, "mp4", "video", is), width, height, durationSeconds };
    });
  }

  async #storeAll(files: Prepared["files"]): Promise<Partial<Record<string, string>>> {
    const addresses: Record<string, string> = {};
    for (const file of files)
      addresses[file.variant] = await this.#store(file.path, file.type, file.variant, file);
    return addresses;
  }

  async #store(path: string, type: FileType, variant: string, size: { width: number; height: number }) {
    const sha256 = await checksum(path);
    const name = nameFor(sha256, fileTypes[type].extension, variant === "original");
    const { size: bytes } = await stat(path);
    const { width, height } = size;
    this.files.push({ name, variant, bytes, width, height, sha256: sha256.toString("hex") });
    if (!this.#dryRun) await this.#media.store.put(name, path);
    return mediaAddress(name);
  }
}

interface UploadOptions {
  /** Files are converted but not stored, because the write is rolled back. */
  dryRun?: boolean;
}

interface Log {
  warn(what: object, sentence: string): void;
}

/**
 * Runs work that stores files and then refers to them in rows. Files without a row afterwards, because the work failed,
 * are removed; if the outcome is unknown, the orphan sweep removes them later.
 */
export async function withUploads<T>(
  { media, storage, log }: { media: Media; storage: Storage; log: Log },
  work: (upload: MediaUpload) => Promise<T>,
  { dryRun = false }: UploadOptions = {},
): Promise<T> {
  const upload = new MediaUpload(media, dryRun);
  if (dryRun) return work(upload);
  // A failure to remove files must not change the outcome: the sweep removes them later.
  const drop = async () => {
    try {
      const names = upload.files.map(({ name }) => name);
      const named = await filesWithRow(storage.read, names);
      await media.store.remove(names.filter((name) => !named.has(name)));
    } catch (err) {
      log.warn({ err }, "could not remove files without a row");
    }
  };
  try {
    const done = await work(upload);
    await drop();
    return done;
  } catch (error) {
    // After `Overloaded` the transaction may have been committed; `MediaBusy` comes before any.
    if (!(error instanceof Overloaded) || error instanceof MediaBusy) await drop();
    throw error;
  }
}

async function checksum(path: string): Promise<Buffer> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  return hash.digest();
}
