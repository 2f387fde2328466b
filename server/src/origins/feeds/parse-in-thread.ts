import { Worker } from "node:worker_threads";
import { type Answer, OriginError } from "../connector.ts";
import type { Feed } from "./entry.ts";

/** Milliseconds that a feed may take to be read. */
const PATIENCE = 10_000;
/** What the thread may hold at most, in MiB: the largest answer, many times over. */
const MEMORY = 512;

/** What the thread is given. */
export interface Reading {
  bytes: Uint8Array;
  contentType: string | null;
  url: string;
}

/** What it gives back; null for what isn't a feed. */
export type Read = Feed | null;

let thread: Worker | null = null;
let turn: Promise<unknown> = Promise.resolve();

/**
 * The feed that an origin answered: RSS, Atom, RDF or JSON Feed. It is read in a thread of its own, one after another, for what is
 * made to take long would else keep all requests waiting. Throws {@link OriginError}.
 */
export function readFeed({ bytes, headers, url }: Pick<Answer, "bytes" | "headers" | "url">): Promise<Feed> {
  const reading = { bytes, contentType: headers.get("content-type"), url };
  const read = turn.then(() => readNext(reading));
  turn = read.catch(() => {});
  return read;
}

async function readNext(reading: Reading): Promise<Feed> {
  thread ??= begin();
  const feed = await answerOf(thread, reading);
  if (!feed) throw new OriginError("It answered something that isn't a feed.");
  return feed;
}

function answerOf(worker: Worker, reading: Reading): Promise<Read> {
  const { promise, resolve, reject } = withResolvers<Read>();
  const giveUp = () => {
    thread = null;
    void worker.terminate();
    reject(new OriginError("Its feed takes too long to read."));
  };
  const fail = (error: unknown) => {
    thread = null;
    reject(isMemory(error) ? new OriginError("Its feed takes too much memory to read.") : error);
  };
  const timer = setTimeout(giveUp, PATIENCE);
  worker.once("message", resolve).once("error", fail);
  worker.postMessage(reading);
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

/** It keeps no process from ending. */
function begin(): Worker {
  const worker = new Worker(new URL("thread.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  // Whoever waits for it is told by a listener of their own.
  worker.on("error", () => {});
  worker.unref();
  return worker;
}
