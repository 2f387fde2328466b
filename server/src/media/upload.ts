import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { type FileType, fileTypes } from "@tandem/contract/files";
import type { ProfilePicture } from "@tandem/contract/moderation-names";
import { Overloaded, type Storage } from "../storage/storage.ts";
import { inFolder } from "./folder.ts";
import type { Media } from "./media.ts";
import { mediaAddress, nameFor } from "./names.ts";
import { prepareAvatar, prepareBanner, preparePicture } from "./pictures.ts";
import { filesWithRow, type MediaFile } from "./rows.ts";
import { xmpOf } from "./source-type.ts";
import { type inspectVideo, quickStart } from "./video.ts";
import { withXmp } from "./webp-xmp.ts";
import { MediaBusy } from "./worker-pool.ts";

type Prepared = Awaited<ReturnType<typeof preparePicture>>;
type Mark = Parameters<typeof preparePicture>[2]["mark"];

interface NewFile extends Pick<MediaFile, "variant" | "width" | "height"> {
  path: string;
  type: FileType;
}

/** A stored picture in its sizes. URLs are relative to the service. */
export interface StoredPicture {
  full: string;
  feed: string;
  /** The original file, if it is offered for download. */
  original: string | null;
  width: number;
  height: number;
  thumbHash: string;
  /** What its files say about AI. */
  mark: Mark;
}

export interface StoredVideo {
  address: string;
  width: number;
  height: number;
  durationSeconds: number;
  mark: Mark;
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
  picture(path: string, asked: Mark): Promise<StoredPicture> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { files, width, height, thumbHash, mark } = await preparePicture(path, folder, { mark: asked });
      const { full = "", feed = full, original = null } = await this.#storeAll(files, mark);
      return { full, feed, original, width, height, thumbHash, mark };
    });
  }

  /** Stores a picture as an avatar or banner. Returns its address, and what its file says about AI. */
  profilePicture(
    picture: ProfilePicture,
    path: string,
    asked: Mark,
  ): Promise<{ address: string; mark: Mark }> {
    return inFolder(this.#media.incoming, async (folder) => {
      const prepare = picture === "avatar" ? prepareAvatar : prepareBanner;
      const { files, mark } = await prepare(path, folder, { mark: asked });
      const shown = files.filter(({ variant }) => variant === "large");
      const { large: address = "" } = await this.#storeAll(shown, mark);
      return { address, mark };
    });
  }

  /** Stores a video, rewritten so that it plays while it loads. Throws `InvalidMedia` if it can't be decoded. */
  video(path: string, is: Awaited<ReturnType<typeof inspectVideo>>, asked: Mark): Promise<StoredVideo> {
    return inFolder(this.#media.incoming, async (folder) => {
      const { width, height, duration: durationSeconds } = is;
      const quick = join(folder, "video.mp4");
      const mark = await quickStart(path, quick, asked);
      const file = { path: quick, type: "mp4", variant: "video", width, height } as const;
      return { address: await this.#store(file, mark), width, height, durationSeconds, mark };
    });
  }

  /** Stores a stored file again, with this mark. Returns the old and the new address. */
  async withMark(file: MediaFile, mark: Mark): Promise<[from: string, to: string]> {
    const { name, variant, width, height } = file;
    const isVideo = variant === "video";
    const to = await inFolder(this.#media.incoming, (folder) =>
      this.#media.store.withFile(name, async (stored) => {
        const path = join(folder, "marked");
        if (isVideo) await quickStart(stored, path, mark);
        else if (mark) await writeFile(path, withXmp(await readFile(stored), xmpOf(mark)));
        const type = isVideo ? "mp4" : "webp";
        return this.#store({ path, type, variant, width, height }, mark);
      }),
    );
    return [mediaAddress(name), to ?? mediaAddress(name)];
  }

  async #storeAll(files: Prepared["files"], mark: Mark): Promise<Partial<Record<string, string>>> {
    const addresses: Record<string, string> = {};
    for (const file of files) addresses[file.variant] = await this.#store(file, mark);
    return addresses;
  }

  async #store({ path, type, variant, width, height }: NewFile, mark: Mark): Promise<string> {
    const sha256 = await checksum(path);
    const name = nameFor(sha256, fileTypes[type].extension, variant === "original");
    const { size: bytes } = await stat(path);
    this.files.push({ name, variant, bytes, width, height, mark, sha256: sha256.toString("hex") });
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
