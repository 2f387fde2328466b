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
  if ("path" in upload) return openPath(upload.path);
  return gather(upload, place);
}

/** Asked of the runtime and not imported: bundles for browsers need no word of it. */
function openPath(path: string): Promise<Blob> {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs) throw new Error("only Node.js opens files by their path: send a Blob");
  return fs.openAsBlob(path);
}

async function gather(
  pieces: ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>,
  { field, limit, signal }: Place,
): Promise<Blob> {
  const gathered: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  for await (const piece of Symbol.asyncIterator in pieces ? pieces : piecesOf(pieces)) {
    signal?.throwIfAborted();
    bytes += piece.byteLength;
    if (bytes > limit) {
      const error = `${field} may have at most ${limit} bytes.`;
      throw new TandemError(400, { error, code: "file_too_large", field });
    }
    gathered.push(new Uint8Array(piece));
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
