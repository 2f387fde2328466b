import { TandemError } from "./tandem-error.ts";

/**
 * A file to send: a Blob; in Node.js, the path of a file, which isn't read before it is sent; or what comes piece by
 * piece. Pieces are gathered first, up to the size that the field may have: what is sent only as it comes could not be
 * sent a second time.
 */
export type Upload = Blob | { path: string } | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

interface Place {
  field: string;
  /** Bytes that the field may have. */
  limit: number;
  signal: AbortSignal | undefined;
}

/** The file as something that can be sent any number of times. */
export async function blobOf(upload: Upload, place: Place): Promise<Blob> {
  if (upload instanceof Blob) return upload;
  const kind = Object(upload) as object;
  // Before paths: a stream that reads a file knows its path too, and may be of a part of it.
  if (Symbol.asyncIterator in kind) return gather(kind as AsyncIterable<Uint8Array>, place);
  if ("getReader" in kind) return gather(piecesOf(kind as ReadableStream<Uint8Array>), place);
  if ("path" in kind) return openPath(String(kind.path));
  throw new TypeError(`${place.field} takes a Blob, { path } or a stream`);
}

/** Asked of the runtime and not imported: bundles for browsers need no word of it. */
function openPath(path: string): Promise<Blob> {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs) throw new Error("only Node.js opens files by their path: send a Blob");
  return fs.openAsBlob(path);
}

/** Gives up at once when the signal says so: the next piece may never come. */
function gather(pieces: AsyncIterable<Uint8Array>, place: Place): Promise<Blob> {
  const { signal } = place;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    join(pieces, place)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", stop));
  });
}

async function join(pieces: AsyncIterable<Uint8Array>, { field, limit, signal }: Place): Promise<Blob> {
  const gathered: Blob[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    signal?.throwIfAborted();
    // A stream that decodes gives text, whatever its type says.
    const part = new Blob([piece as Uint8Array<ArrayBuffer>]);
    bytes += part.size;
    if (bytes > limit) {
      const error = `${field} may have at most ${limit} bytes.`;
      throw new TandemError(400, { error, code: "file_too_large", field });
    }
    gathered.push(part);
  }
  return new Blob(gathered);
}

/** Not every browser can iterate a stream. */
async function* piecesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
