import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { MINUTE } from "@tandem/contract/durations";
import type { ImportProblem } from "@tandem/contract/imports";
import { helperEnvironment } from "../../config/helper-environment.ts";
import { ArchiveError, type ArchiveTask, type Contents } from "./archive.ts";

/** Milliseconds until reading an archive times out. */
const TIMEOUT = 10 * MINUTE;
/** The process's memory limit in MiB, apart from the files that it reads. Parsed JSON takes several times as much as its text. */
const MEMORY = 1024;
const main = fileURLToPath(new URL("archive-main.ts", import.meta.url));

/** The process's output. */
export type Done = { contents: Contents } | { problem: ImportProblem } | { failure: string };

/** How a process ends by itself: V8 aborts it when it runs out of memory. */
const crashes: readonly (NodeJS.Signals | null)[] = [
  null,
  "SIGABRT",
  "SIGBUS",
  "SIGILL",
  "SIGSEGV",
  "SIGTRAP",
];

/**
 * Reads an export in a process of its own, so that a large or hostile one can't block requests, use up the memory of the service or
 * end it. Its items stay on the disk. Throws {@link ArchiveError}.
 */
export async function readArchiveInProcess(task: ArchiveTask, signal: AbortSignal): Promise<Contents> {
  const child = fork(main, {
    execArgv: [`--max-old-space-size=${MEMORY}`],
    env: helperEnvironment(),
    serialization: "advanced",
    // What V8 prints before it aborts says nothing about the service.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without a listener, too many open files or processes would end the service.
  child.on("error", () => {});
  child.unref();
  child.channel?.unref();
  const timeout = AbortSignal.timeout(TIMEOUT);
  try {
    const done = await outputOf(child, task, AbortSignal.any([signal, timeout]));
    if ("failure" in done) throw new Error(`reading an archive failed: ${done.failure}`);
    if ("problem" in done) throw new ArchiveError(done.problem);
    return done.contents;
  } catch (error) {
    if (timeout.aborted && !signal.aborted) throw new ArchiveError("too_large", { cause: error });
    throw error;
  } finally {
    child.kill("SIGKILL");
  }
}

async function outputOf(child: ChildProcess, task: ArchiveTask, signal: AbortSignal): Promise<Done> {
  const ended = new AbortController();
  const until = { signal: AbortSignal.any([signal, ended.signal]) };
  try {
    const exit = once(child, "exit", until).then(([, by]) => ({ by: by as NodeJS.Signals | null }));
    const next = async () => {
      const message = once(child, "message", until).then(([sent]) => ({ sent }));
      const first = await Promise.race([message, exit]);
      if ("sent" in first) return first.sent;
      if (crashes.includes(first.by)) throw new ArchiveError("too_large");
      throw new Error("the process that reads an archive was ended");
    };
    await next();
    // With a callback, a failed send emits no error; the exit event follows.
    child.send(task, () => {});
    return (await next()) as Done;
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
  }
}
