import { createHash, type Hash } from "node:crypto";
import { once, setMaxListeners } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { addAbortSignal, type Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Busboy } from "@fastify/busboy";
import { limits } from "@tandem/contract/limits";
import type { Operation } from "@tandem/contract/operation";
import { formBody } from "./form-body.ts";
import { invalid, Problem } from "./problem.ts";

/** A file of a form, as it lies on the disk until the request is answered. */
export interface Received {
  field: string;
  path: string;
  bytes: number;
  /** Of its content. */
  sha256: Buffer;
}

/** A form that was read whole. Disposing of it removes the files that nobody has moved away. */
export interface Form extends AsyncDisposable {
  body: Record<string, unknown>;
  files: Map<string, Received>;
  /** The same for every form that says the same, however it is put on the wire. */
  digest: Buffer;
}

export interface FormOptions {
  op: Operation;
  /** Where files are kept meanwhile. */
  directory: string;
  /** Milliseconds that the sender may be silent. */
  patience: number;
}

/** Bytes around the fields: what stands before the first, after the last, and in the heads of all. */
const MARGIN = 2 ** 20;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a form as it comes, files straight to the disk, so that its size costs no memory. Throws a Problem that names
 * the field as soon as one is found; what the client still sends is then read and thrown away, for most clients hear
 * an answer only if they can finish. A client that says nothing for long, or sends without end, is hung up on.
 */
export async function readForm(request: IncomingMessage, options: FormOptions): Promise<Form> {
  const reader = new FormReader(options);
  try {
    await reader.read(request);
    const { texts, files } = reader;
    const body = formBody(options.op, texts);
    return { body, files, digest: digestOf(texts, files), [Symbol.asyncDispose]: () => reader.clear() };
  } catch (error) {
    await reader.clear();
    throw error;
  }
}

class FormReader {
  readonly texts = new Map<string, string[]>();
  readonly files = new Map<string, Received>();
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
      throw cause instanceof Problem ? cause : brokenOff(cause);
    });
    // Whichever fails first is told; the other goes on until the request has ended.
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
    const { op } = this.#options;
    const malformed = (cause: unknown) =>
      new Problem("invalid_input", "The form is not well-formed multipart/form-data.", {
        field: firstField(op),
        cause,
      });
    try {
      const parser = new Busboy({
        headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
        // Texts are bytes to us too: what is no UTF-8 is to be refused, not mended.
        isPartAFile: () => true,
        // One part more than is taken: it is refused by its name, and those behind it cost nothing.
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

  /** Passes on what comes, no faster than it is written; after a failure, to nobody. */
  async #feed(request: IncomingMessage, parser: InstanceType<typeof Busboy>): Promise<void> {
    const { op, patience } = this.#options;
    let left = MARGIN + limits.jsonBytes;
    for (const { bytes } of Object.values(op.files)) left += bytes;
    const hangUp = () => request.destroy(new Error("the form was not sent in good time"));
    const silence = setTimeout(hangUp, patience);
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false })) {
        silence.refresh();
        left -= chunk.length;
        // Where the form was refused already, this is all that can still be done.
        if (left < 0 && this.#stop.signal.aborted) hangUp();
        if (left < 0) this.#fail(new Problem("payload_too_large"));
        if (this.#stop.signal.aborted) continue;
        if (!parser.write(chunk)) await Promise.race([once(parser, "drain"), this.#failure]).catch(() => {});
      }
      if (!this.#stop.signal.aborted) parser.end();
    } finally {
      clearTimeout(silence);
    }
  }

  async #take(name: string | undefined, part: Readable, fileName: string | undefined): Promise<void> {
    const { op } = this.#options;
    // A part that is left alone when the form breaks off would end the process with its error.
    part.on("error", () => {});
    addAbortSignal(this.#stop.signal, part);
    if (name === undefined) throw invalid(firstField(op), "Each part of a form needs a name.");
    const field = name.slice(0, 100);
    if (this.#parts.length >= limits.formParts)
      throw invalid(field, `A form takes at most ${limits.formParts} fields.`);
    const limit = Object.hasOwn(op.files, name) ? op.files[name]?.bytes : undefined;
    if (limit !== undefined) return this.#takeFile(name, part, fileName, limit);
    if (fileName !== undefined) throw invalid(field, `${field} takes no file.`);
    return this.#takeText(field, part);
  }

  async #takeText(name: string, part: Readable): Promise<void> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of part as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      this.#textBytes += chunk.length;
      if (bytes > limits.formTextBytes) throw invalid(name, `${name} is too long.`);
      if (this.#textBytes > limits.jsonBytes) throw new Problem("payload_too_large");
      chunks.push(chunk);
    }
    const text = decode(name, Buffer.concat(chunks));
    const before = this.texts.get(name);
    if (before) before.push(text);
    else this.texts.set(name, [text]);
  }

  async #takeFile(field: string, part: Readable, fileName: string | undefined, limit: number): Promise<void> {
    if (this.files.has(field)) throw invalid(field, `${field} is given twice.`);
    const received: Received = { field, path: "", bytes: 0, sha256: Buffer.alloc(0) };
    this.files.set(field, received);
    received.path = join(await this.#directory(), field);
    const hash = createHash("sha256");
    const counted = async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        received.bytes += chunk.length;
        if (received.bytes > limit)
          throw new Problem("file_too_large", `${field} may have at most ${limit} bytes.`, { field });
        hash.update(chunk);
        yield chunk;
      }
    };
    await pipeline(part, counted, createWriteStream(received.path), { signal: this.#stop.signal });
    received.sha256 = hash.digest();
    if (received.bytes > 0) return;
    // What browsers send for a field in which no file was chosen.
    if (fileName === "") this.files.delete(field);
    else throw invalid(field, `${field} is empty.`);
  }

  #directory(): Promise<string> {
    const { directory } = this.#options;
    this.#folder ??= mkdir(directory, { recursive: true }).then(() => mkdtemp(join(directory, "form-")));
    return this.#folder;
  }
}

/** Nobody hears this one, but for the log. */
function brokenOff(cause: unknown): Problem {
  return new Problem("invalid_input", "The form broke off.", { cause });
}

function firstField(op: Operation): string {
  return Object.keys({ ...op.body.properties, ...op.files })[0] ?? "body";
}

/** Forms carry every end of a line as CR and LF, whatever was written; JSON carries what was written. */
function decode(name: string, bytes: Buffer): string {
  try {
    return utf8.decode(bytes).replaceAll("\r\n", "\n");
  } catch {
    throw invalid(name, `${name} is not in UTF-8.`);
  }
}

function digestOf(texts: Map<string, string[]>, files: Map<string, Received>): Buffer {
  const hash = createHash("sha256");
  for (const name of [...texts.keys()].sort())
    addTo(hash, name, ...(texts.get(name) ?? []).map((text) => Buffer.from(text)));
  for (const name of [...files.keys()].sort()) addTo(hash, name, files.get(name)?.sha256 ?? Buffer.alloc(0));
  return hash.digest();
}

/** Each piece after its length, so that no two forms are the same row of bytes. */
function addTo(hash: Hash, name: string, ...values: Buffer[]): void {
  for (const piece of [Buffer.from(name), Buffer.from(String(values.length)), ...values])
    hash.update(`${piece.length}:`).update(piece);
}
