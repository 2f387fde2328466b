import { createReadStream, createWriteStream, type ReadStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createTarDecoder, createTarPacker } from "modern-tar";
import { Refusal } from "../refusal.ts";

/** A tar file that is being written. */
export interface ArchiveWriter {
  /** Adds a file of exactly this size. */
  add(name: string, size: number, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void>;
  /** Resolves once everything is on the disk. */
  close(): Promise<void>;
  /** Gives up; the file stays. */
  abort(): Promise<void>;
}

/** Creates a file that only its owner can read. It must not exist. */
export function createArchive(path: string, mtime: Date): ArchiveWriter {
  const { readable, controller } = createTarPacker();
  const file = createWriteStream(path, { flags: "wx", mode: 0o600, flush: true });
  /** Why the file can't be written. The stream that feeds it then only says that it was aborted. */
  let failure: Error | null = null;
  file.once("error", (error) => {
    failure = error;
  });
  const written = pipeline(readable, file);
  // The code that adds to the archive gets the error.
  written.catch(() => {});
  return {
    async add(name, size, content) {
      try {
        const body = controller.add({ name, size, mtime, mode: 0o600 }).getWriter();
        for await (const chunk of content) await body.write(chunk);
        await body.close();
      } catch (error) {
        throw failure ?? error;
      }
    },
    async close() {
      controller.finalize();
      await written;
    },
    async abort() {
      controller.error(new Error("The backup was given up"));
      await written.catch(() => {});
    },
  };
}

/** A file in an archive. Its content must be read before the next one is. */
export interface ArchivedFile {
  name: string;
  size: number;
  content: AsyncIterable<Uint8Array>;
}

/** Reads an archive from its beginning. Content that isn't read is skipped. Throws a {@link Refusal} if it is damaged. */
export async function* readArchive(path: string, onBytes: (bytes: number) => void = () => {}) {
  const bytes = createReadStream(path, { highWaterMark: 2 ** 18 });
  const { writable, readable } = createTarDecoder({ strict: true });
  // Errors reach the reader of `readable`.
  feed(bytes, writable, onBytes).catch(() => {});
  try {
    for await (const { header, body } of readable) {
      let read = false;
      const content = (async function* () {
        read = true;
        try {
          yield* body;
        } catch (error) {
          throw asDamage(error);
        }
      })();
      yield { name: header.name, size: header.size, content } satisfies ArchivedFile;
      if (!read) await body.cancel();
    }
  } catch (error) {
    throw asDamage(error);
  } finally {
    bytes.destroy();
  }
}

async function feed(bytes: ReadStream, to: WritableStream<Uint8Array>, onBytes: (bytes: number) => void) {
  const writer = to.getWriter();
  try {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      await writer.write(chunk);
      onBytes(chunk.length);
    }
    await writer.close();
  } catch (error) {
    await writer.abort(error);
  }
}

/** Converts errors of the tar format. */
function asDamage(error: unknown): unknown {
  const isOfFormat = error instanceof Error && /\btar\b/i.test(error.message);
  return isOfFormat ? damaged("it isn't a complete tar file") : error;
}

export function damaged(how: string): Refusal {
  return new Refusal(`The backup is damaged: ${how}.`);
}

/** Reads a small file of an archive. */
export async function bytesOf({ name, size, content }: ArchivedFile, limit: number): Promise<Buffer> {
  if (size > limit) throw damaged(`${name} is too large`);
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}
