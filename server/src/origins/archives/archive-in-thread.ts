import { Worker } from "node:worker_threads";
import { MINUTE } from "@tandem/contract/durations";
import type { ImportProblem } from "@tandem/contract/imports";
import { ArchiveError, type ArchiveTask, type Contents } from "./archive.ts";

/** Milliseconds until reading an archive times out. */
const TIMEOUT = 10 * MINUTE;
/** The thread's memory limit in MiB. Parsed JSON takes several times as much as its text. */
const MEMORY = 1024;

/** The thread's output. */
export type ReadArchive = { contents: Contents } | { problem: ImportProblem };

/**
 * Reads an export in a thread of its own, so that a large or hostile one can't block requests or use up the memory of the
 * process. Throws {@link ArchiveError}.
 */
export async function readArchiveInThread(task: ArchiveTask, signal: AbortSignal): Promise<Contents> {
  const worker = new Worker(new URL("archive-thread.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY },
  });
  worker.unref();
  try {
    const read = await Promise.race([
      outputOf(worker),
      ended(AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT)])),
    ]);
    if ("problem" in read) throw new ArchiveError(read.problem);
    return read.contents;
  } catch (error) {
    const isLarge =
      isTimeout(error) ||
      (error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY");
    throw isLarge ? new ArchiveError("too_large", { cause: error }) : error;
  } finally {
    await worker.terminate();
  }
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === "TimeoutError";

function outputOf(worker: Worker): Promise<ReadArchive> {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve).once("error", reject);
    worker.once("exit", () => reject(new Error("the thread that reads an archive ended")));
  });
}

function ended(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
