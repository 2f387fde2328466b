import { TandemError } from "./tandem-error.ts";

/**
 * A file to send: a Blob, a stream, or in Node.js the path of a file, which is read only when it is sent. Streams are
 * buffered first, up to the maximum size of the field, because a stream can't be sent again in a retry.
 */
export type Upload = Blob | { path: string } | ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

export interface UploadField {
  field: string;
  /** The maximum size in bytes. */
  limit: number;
  signal: AbortSignal | undefined;
}

/** Returns the file as a Blob, which can be sent repeatedly. */
export async function bufferUpload(upload: Exclude<Upload, Blob>, target: UploadField): Promise<Blob> {
  const kind = Object(upload) as object;
  // Checked before paths, because a file stream also has a `path` and may contain only a part of the file.
  if (Symbol.asyncIterator in kind) return buffer(kind as AsyncIterable<Uint8Array>, target);
  if ("getReader" in kind) return buffer(chunksOf(kind as ReadableStream<Uint8Array>), target);
  if ("path" in kind) return openPath(String(kind.path), target);
  throw new TypeError(`${target.field} must be a Blob, { path } or a stream`);
}

/** Not imported, so that bundles for browsers don't contain it. */
async function openPath(path: string, { field }: UploadField): Promise<Blob> {
  const fs = globalThis.process?.getBuiltinModule?.("node:fs");
  if (!fs) throw new TypeError(`${field}: files can be opened by path only in Node.js; send a Blob`);
  try {
    // `openAsBlob` doesn't tell why it fails.
    await fs.promises.access(path, fs.constants.R_OK);
    return await fs.openAsBlob(path);
  } catch (cause) {
    throw new TypeError(`${field}: can't read the file ${JSON.stringify(path)}`, { cause });
  }
}

/** Buffers a stream. Rejects immediately on abort, since the next chunk may never arrive. */
function buffer(chunks: AsyncIterable<Uint8Array>, target: UploadField): Promise<Blob> {
  const { signal } = target;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) stop();
    signal?.addEventListener("abort", stop, { once: true });
    collect(chunks, target)
      .then(resolve, reject)
      .finally(() => signal?.removeEventListener("abort", stop));
  });
}

async function collect(
  chunks: AsyncIterable<Uint8Array>,
  { field, limit, signal }: UploadField,
): Promise<Blob> {
  const parts: Blob[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    signal?.throwIfAborted();
    // A stream with an encoding yields strings, despite its type.
    const part = new Blob([chunk as Uint8Array<ArrayBuffer>]);
    bytes += part.size;
    if (bytes > limit) {
      const error = `${field} must have at most ${limit} bytes.`;
      throw new TandemError(400, { error, code: "file_too_large", field });
    }
    parts.push(part);
  }
  return new Blob(parts);
}

/** Not all browsers can iterate over a stream. */
async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
