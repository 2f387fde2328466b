import { createReadStream } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { createTarDecoder } from "modern-tar";
import { openPromise } from "yauzl";
import { ArchiveError } from "./archive.ts";

/** The most files in an archive: a long life's media. */
const MAX_ENTRIES = 200_000;
/** What a compressed tar file may unpack to: media hardly compress, and texts are few. */
const unpackedLimit = (bytes: number) => 8 * bytes + 2 ** 27;
/** The most bytes of a file that is read into memory. */
export const MAX_TEXT = 2 ** 27;

/** A file in an archive. Its content is a stream of what was stored, and no more than it declares. */
export interface Entry {
  name: string;
  content(): Promise<AsyncIterable<Uint8Array>>;
}

export type Format = "zip" | "tar" | "single";

export async function formatOf(path: string): Promise<Format> {
  await using file = await open(path);
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
  if (buffer.readUInt32BE() === 0x504b0304 || buffer.readUInt32BE() === 0x504b0506) return "zip";
  return buffer[0] === 0x1f && buffer[1] === 0x8b ? "tar" : "single";
}

/**
 * The files of an archive in its order. Read the content of one before you go on to the next. Names are only compared, never used
 * as paths. Throws {@link ArchiveError}.
 */
export async function* entriesOf(path: string, format: Exclude<Format, "single">): AsyncGenerator<Entry> {
  let count = 0;
  try {
    for await (const entry of format === "zip" ? zipEntries(path) : tarEntries(path)) {
      count += 1;
      if (count > MAX_ENTRIES) throw new ArchiveError("too_large");
      yield entry;
    }
  } catch (cause) {
    throw cause instanceof ArchiveError ? cause : new ArchiveError("damaged", { cause });
  }
}

async function* zipEntries(path: string): AsyncGenerator<Entry> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  try {
    if (zip.entryCount > MAX_ENTRIES) throw new ArchiveError("too_large");
    for await (const entry of zip.eachEntry())
      if (!entry.fileName.endsWith("/"))
        yield { name: entry.fileName, content: () => zip.openReadStreamPromise(entry) };
  } finally {
    zip.close();
  }
}

async function* tarEntries(path: string): AsyncGenerator<Entry> {
  const { size } = await stat(path);
  const limit = unpackedLimit(size);
  const stored = createReadStream(path);
  // Errors of the file reach the reader of what is unpacked.
  const unpacked = pipeline(stored, createGunzip(), () => {});
  const { writable, readable } = createTarDecoder({ strict: true });
  feed(unpacked, writable, limit).catch(() => {});
  try {
    for await (const { header, body } of readable) {
      let isRead = false;
      const content = async () => {
        isRead = true;
        return body;
      };
      if (header.type === "file" || header.type === undefined) yield { name: header.name, content };
      if (!isRead) await body.cancel();
    }
  } finally {
    stored.destroy();
    unpacked.destroy();
  }
}

async function feed(
  from: AsyncIterable<Buffer>,
  to: WritableStream<Uint8Array>,
  limit: number,
): Promise<void> {
  const writer = to.getWriter();
  let bytes = 0;
  try {
    for await (const chunk of from) {
      bytes += chunk.length;
      if (bytes > limit) throw new ArchiveError("too_large");
      await writer.write(chunk);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error);
  }
}

/** A file in memory. Throws {@link ArchiveError}, also if it is larger than `limit`. */
export async function bytesOf(entry: Entry, limit: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of await entry.content()) {
      bytes += chunk.length;
      if (bytes > limit) throw new ArchiveError("too_large");
      chunks.push(chunk);
    }
  } catch (cause) {
    throw cause instanceof ArchiveError ? cause : new ArchiveError("damaged", { cause });
  }
  return Buffer.concat(chunks);
}

/** A file that was uploaded alone. */
export async function singleFile(path: string): Promise<Buffer> {
  if ((await stat(path)).size > MAX_TEXT) throw new ArchiveError("too_large");
  return readFile(path);
}
