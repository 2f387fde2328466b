import { Worker } from "node:worker_threads";
import { OriginError, type OriginResponse } from "../connector.ts";
import type { OpmlEntry } from "../opml/read.ts";
import type { Feed } from "./entry.ts";

/** Milliseconds until parsing a feed times out. */
const TIMEOUT = 10_000;
/** The thread's memory limit in MiB, many times the largest response. */
const MEMORY = 512;

/** What the thread can parse, and what comes of it. */
export interface Parsed {
  feed: Feed;
  opml: OpmlEntry[];
}

/** The thread's input. */
export interface Task {
  parser: keyof Parsed;
  reading: Reading;
}

export interface Reading {
  bytes: Uint8Array;
  contentType: string | null;
  url: string;
}

/** The thread's output, or why the input can't be used. */
export type Read<Parser extends keyof Parsed = keyof Parsed> = Parsed[Parser] | { refused: string };

let thread: Worker | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * Parses a feed (RSS, Atom, RDF or JSON Feed) in a worker thread, one at a time, so that a malicious feed can't block
 * requests. Throws {@link OriginError}.
 */
export function readFeed({
  bytes,
  headers,
  url,
}: Pick<OriginResponse, "bytes" | "headers" | "url">): Promise<Feed> {
  return parse("feed", { bytes, contentType: headers.get("content-type"), url });
}

/** Parses an OPML file in the same thread. Throws {@link OriginError}. */
export function readOpml(bytes: Uint8Array): Promise<OpmlEntry[]> {
  return parse("opml", { bytes, contentType: null, url: "" });
}

function parse<Parser extends keyof Parsed>(parser: Parser, reading: Reading): Promise<Parsed[Parser]> {
  const read = turn.then(() => readNext(parser, reading));
  turn = read.catch(() => {});
  return read;
}

async function readNext<Parser extends keyof Parsed>(
  parser: Parser,
  reading: Reading,
): Promise<Parsed[Parser]> {
  thread ??= begin();
  const read = await responseOf<Parser>(thread, { parser, reading });
  if ("refused" in read) throw new OriginError(read.refused);
  return read;
}

function responseOf<Parser extends keyof Parsed>(worker: Worker, task: Task): Promise<Read<Parser>> {
  const { promise, resolve, reject } = withResolvers<Read<Parser>>();
  const giveUp = () => {
    thread = null;
    void worker.terminate();
    reject(new OriginError("Parsing takes too long."));
  };
  const fail = (error: unknown) => {
    thread = null;
    reject(isMemory(error) ? new OriginError("Parsing takes too much memory.") : error);
  };
  const timer = setTimeout(giveUp, TIMEOUT);
  worker.once("message", resolve).once("error", fail);
  worker.postMessage(task);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.off("message", resolve).off("error", fail);
  });
}

function isMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
}

/** Starts the thread. It doesn't keep the process alive. */
function begin(): Worker {
  const worker = new Worker(new URL("thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  // Callers listen for errors themselves; this only prevents an uncaught exception.
  worker.on("error", () => {});
  worker.unref();
  return worker;
}
