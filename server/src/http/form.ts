import { createHash, type Hash } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import type { FileField } from "@tandem/contract/files";
import { limits } from "@tandem/contract/limits";
import type { Operation } from "@tandem/contract/operation";
import { ApiError, invalid } from "./api-error.ts";
import type { BodyDigest } from "./content-digest.ts";
import { formBody } from "./form-body.ts";
import { unknownFieldsOf } from "./unknown-fields.ts";
import { watchPace } from "./upload-pace.ts";

/** A received file, on disk until the response is sent. */
export interface Received {
  field: string;
  path: string;
  bytes: number;
  /** Of the file's content. */
  sha256: Buffer;
}

/** A fully received form. Disposing it removes files that were not moved. */
export interface Form extends AsyncDisposable {
  body: Record<string, unknown>;
  /** By field; several of a field that can be repeated, in their order. */
  files: Map<string, Received[]>;
  /** A digest of the content, independent of its encoding. */
  digest: Buffer;
  /** Of the body as it arrived; null if no one asked for it. */
  bodyDigest: BodyDigest | null;
}

export interface FormOptions {
  op: Operation;
  /** The folder for received files. */
  directory: string;
  /** Milliseconds without data after which the upload is aborted, and before which its speed doesn't matter. */
  patience: number;
  /** Gets the body as it arrives. */
  bodyDigest?: BodyDigest | null;
}

/** Bytes allowed around the fields: preamble, epilogue and part headers. */
const MARGIN = 2 ** 20;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Receives a form and streams files to disk, so size costs no memory. Throws an `ApiError` that names the field as soon as
 * one is invalid; the rest of the body is then read and discarded, because most clients only read a response after they
 * have sent everything. Clients that stall, are too slow, or send without end, are disconnected.
 */
export async function readForm(request: IncomingMessage, options: FormOptions): Promise<Form> {
  const reader = new FormReader(options);
  try {
    await reader.read(request);
    const { texts, files } = reader;
    const body = formBody(options.op, texts);
    const { bodyDigest = null } = options;
    const digest = digestOf(texts, files);
    return { body, files, digest, bodyDigest, [Symbol.asyncDispose]: () => reader.clear() };
  } catch (error) {
    await reader.clear();
    throw error;
  }
}

class FormReader {
  readonly texts = new Map<string, string[]>();
  readonly files = new Map<string, Received[]>();
  readonly #options: FormOptions;
  readonly #stop = new AbortController();
  readonly #parts: Promise<void>[] = [];
  #failure: Promise<never>;
  #fail: (error: unknown) => void = () => {};
  #folder: Promise<string> | null = null;
  #textBytes = 0;

  constructor(options: FormOptions) {
    this.#options = options;
    setMaxListeners(0, this.#stop.signal);
    this.#failure = new Promise((_, reject) => {
      this.#fail = (error) => {
        this.#stop.abort();
        reject(error);
      };
    });
    this.#failure.catch(() => {});
  }

  async read(request: IncomingMessage): Promise<void> {
    const parser = this.#parser(request);
    const finished = once(parser, "finish");
    finished.catch(() => {});
    const all = async () => {
      await this.#feed(request, parser);
      await finished;
      await Promise.all(this.#parts);
    };
    const reading = all().catch((cause) => {
      throw cause instanceof ApiError ? cause : incomplete(cause);
    });
    // The first failure is reported; the other continues until the request ends.
    reading.catch(this.#fail);
    await Promise.race([reading, this.#failure]);
  }

  async clear(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#parts);
    const folder = await this.#folder?.catch(() => null);
    if (folder) await rm(folder, { recursive: true, force: true });
  }

  #parser(request: IncomingMessage): InstanceType<typeof Busboy> {
    const malformed = (cause: unknown) =>
      new ApiError("invalid_input", "The form isn't valid multipart/form-data.", {
        hint: HOW_TO_SEND,
        cause,
      });
    try {
      const parser = new Busboy({
        headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
        // Read texts as bytes: invalid UTF-8 must be refused, not repaired.
        isPartAFile: () => true,
        // One more part than allowed, so that the error can name it.
        limits: { headerPairs: 20, headerSize: 8192, files: limits.formParts + 1 },
      });
      parser.on("file", (name: string | undefined, part, fileName: string | undefined) => {
        const taken = this.#take(name, part as unknown as Readable, fileName);
        taken.catch(this.#fail);
        this.#parts.push(taken);
      });
      parser.on("error", (error) => this.#fail(malformed(error)));
      return parser;
    } catch (error) {
      throw malformed(error);
    }
  }

  /** Forwards data at the speed it is written; after a failure, discards it. */
  async #feed(request: IncomingMessage, parser: InstanceType<typeof Busboy>): Promise<void> {
    const { op, patience, bodyDigest } = this.#options;
    let left = MARGIN + limits.jsonBytes;
    for (const { bytes, max } of Object.values(op.files)) left += bytes * max;
    const pace = watchPace(request, patience);
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        pace.received(chunk.length);
        bodyDigest?.update(chunk);
        left -= chunk.length;
        // If the form was refused already, there is nothing else to do.
        if (left < 0 && this.#stop.signal.aborted) request.destroy(new Error("the upload is endless"));
        if (left < 0) this.#fail(new ApiError("payload_too_large"));
        if (this.#stop.signal.aborted) continue;
        if (!parser.write(chunk)) await Promise.race([once(parser, "drain"), this.#failure]).catch(() => {});
      }
    } finally {
      pace.end();
    }
    if (!this.#stop.signal.aborted) parser.end();
  }

  async #take(name: string | undefined, part: Readable, fileName: string | undefined): Promise<void> {
    const { op } = this.#options;
    // Without a listener, the error of an aborted part would end the process.
    part.on("error", () => {});
    addAbortSignal(this.#stop.signal, part);
    if (name === undefined)
      throw new ApiError("invalid_input", "Each part of a form needs a name.", {
        hint: HOW_TO_SEND,
      });
    const field = name.slice(0, 100);
    if (this.#parts.length >= limits.formParts)
      throw invalid(field, `A form can have at most ${limits.formParts} fields.`);
    const file = Object.hasOwn(op.files, name) ? op.files[name] : undefined;
    if (file) return this.#takeFile(name, part, fileName, file);
    if (fileName !== undefined) throw unknownFieldsOf(op).notAFile(name);
    unknownFieldsOf(op).checkText(name);
    return this.#takeText(field, part);
  }

  async #takeText(name: string, part: Readable): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of part as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      this.#textBytes += chunk.length;
      if (bytes > limits.formTextBytes) throw invalid(name, `${name} is too long.`);
      if (this.#textBytes > limits.jsonBytes) throw new ApiError("payload_too_large");
      chunks.push(chunk);
    }
    const text = decode(name, Buffer.concat(chunks));
    const before = this.texts.get(name);
    if (before) before.push(text);
    else this.texts.set(name, [text]);
  }

  async #takeFile(
    field: string,
    part: Readable,
    fileName: string | undefined,
    { bytes: limit, max }: FileField,
  ): Promise<void> {
    const files = this.files.get(field) ?? [];
    if (files.length >= max)
      throw invalid(
        field,
        max === 1 ? `${field} is repeated.` : `${field} can be sent at most ${max} times.`,
      );
    const received: Received = { field, path: "", bytes: 0, sha256: Buffer.alloc(0) };
    this.files.set(field, files);
    const number = files.push(received);
    // Whether others follow isn't known yet.
    const label = number === 1 ? field : `${field} ${number}`;
    received.path = join(await this.#directory(), `${field}-${number}`);
    const hash = createHash("sha256");
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        received.bytes += chunk.length;
        if (received.bytes > limit)
          throw new ApiError("file_too_large", `${label} can have at most ${limit} bytes.`, { field });
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(part, counted, createWriteStream(received.path), { signal: this.#stop.signal });
    received.sha256 = hash.digest();
    if (received.bytes > 0) return;
    // Browsers send this for a file field without a file.
    if (fileName !== "") throw invalid(field, `${label} is empty.`);
    files.splice(files.indexOf(received), 1);
  }

  #directory(): Promise<string> {
    const { directory } = this.#options;
    this.#folder ??= mkdir(directory, { recursive: true }).then(() => mkdtemp(join(directory, "form-")));
    return this.#folder;
  }
}

/** Only logged: the client is gone. */
function incomplete(cause: unknown): ApiError {
  return new ApiError("invalid_input", "The form is incomplete.", { cause });
}

const HOW_TO_SEND =
  "Let your HTTP client build the form: it names each part, and adds the boundary to Content-Type.";

/** Forms encode every line break as CR LF; JSON keeps what was written. */
function decode(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    throw invalid(name, `${name} is not in UTF-8.`);
  }
}

function digestOf(texts: Map<string, string[]>, files: Map<string, Received[]>): Buffer {
  const hash = createHash("sha256");
  for (const name of [...texts.keys()].sort())
    addTo(hash, name, ...(texts.get(name) ?? []).map((text) => Buffer.from(text)));
  for (const name of [...files.keys()].sort())
    addTo(hash, name, ...(files.get(name) ?? []).map(({ sha256 }) => sha256));
  return hash.digest();
}

/** Prefixes each piece with its length, so that no two forms produce the same bytes. */
function addTo(hash: Hash, name: string, ...values: Buffer[]): void {
  for (const piece of [Buffer.from(name), Buffer.from(String(values.length)), ...values])
    hash.update(`${piece.length}:`).update(piece);
}
