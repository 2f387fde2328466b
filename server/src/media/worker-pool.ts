import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { MINUTE } from "@tandem/contract/durations";
import { helperEnvironment } from "../config/helper-environment.ts";
import { Overloaded } from "../storage/storage.ts";
import { traceStep } from "../tracing/tracing.ts";
import { type Client, FairQueue } from "./fair-queue.ts";
import { InvalidMedia } from "./invalid-media.ts";
import type { TaskResult, Tasks } from "./worker-main.ts";

/** The queue of files to process is full. Retrying later helps. */
export class MediaBusy extends Overloaded {
  override message = "Too many uploads are being processed. Try again shortly.";
}

/** The system or an operator ended the worker process, more than once. An upload can be repeated, but not forever. */
class WorkerEnded extends MediaBusy {
  override readonly isTransient = false;
  override message = "The file couldn't be processed. Try again shortly.";
}

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/**
 * Runs a task in a worker process. Uploads are decoded only there, so that a file that crashes the decoder, hangs or
 * exhausts memory is merely invalid and doesn't affect the service. If the process ends, the task runs once more: something else
 * may have ended it. Throws {@link InvalidMedia}, {@link MediaBusy}, or the error of a failure that the file didn't cause, such
 * as a full disk.
 */
export async function runInWorker<Name extends keyof Tasks>(
  name: Name,
  input: Input<Name>,
  seconds = DEFAULT_TIMEOUT,
): Promise<Output<Name>> {
  const run = async (): Promise<Output<Name>> => {
    const task = { name, input };
    let response = await attempt(task, seconds);
    if ("ended" in response) response = await attempt(task, seconds);
    if ("ended" in response)
      throw response.ended === "crashed" ? new InvalidMedia(DAMAGED) : new WorkerEnded();
    if ("invalid" in response) throw new InvalidMedia(response.invalid);
    if ("failure" in response)
      throw Object.assign(new Error(`${name} failed: ${response.failure}`), { code: response.code });
    return response.result as Output<Name>;
  };
  return traceStep(
    () => ({ name: `media ${name}` }),
    (span) =>
      queue.run<Output<Name>>(
        maxWorkers,
        () => new MediaBusy(),
        () => {
          span?.addEvent("started");
          return run();
        },
      ),
  );
}

const DAMAGED = "The file is damaged or takes too long to process.";

/** The worker ended without a response: by an error of its own, which the file may have caused, or by someone else. */
interface Ended {
  ended: "crashed" | "killed";
}

async function attempt(task: object, seconds: number): Promise<TaskResult | Ended> {
  const worker = (await takeIdle()) ?? (await start());
  if (!worker) return { ended: "killed" };
  const response = await runTask(worker, task, seconds);
  if (response) release(worker);
  return response ?? { ended: crashes.has(worker.signalCode) ? "crashed" : "killed" };
}

/** How a decoder's error ends its process: by one of these signals, or by itself. */
const crashes = new Set<NodeJS.Signals | null>([
  null,
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGILL",
  "SIGSEGV",
  "SIGSYS",
  "SIGTRAP",
]);

/** Seconds until a task times out. The largest pictures and videos take a few on a slow machine. */
const DEFAULT_TIMEOUT = 30;

/** The most worker processes. One processor is left for the service. */
let maxWorkers = maxWorkersFor(1);

/** Divides the machine's processors by the number of server processes. */
export function shareProcessors(servers: number): void {
  maxWorkers = maxWorkersFor(servers);
}

function maxWorkersFor(servers: number): number {
  return Math.max(1, Math.min(4, Math.floor((availableParallelism() - 1) / servers)));
}

const queue = new FairQueue(64);

/** The tasks of this process. */
export function mediaTasks(): FairQueue["state"] {
  return queue.state;
}

/** How long this process has decoded files of a client in the client's current hour. */
export const decodingTimeOf = (client: Client) => queue.spentBy(client);

/** Idle workers. Each is stopped after IDLE_MILLISECONDS, to free its memory. */
const idle: { worker: ChildProcess; end: NodeJS.Timeout }[] = [];
const IDLE_MILLISECONDS = MINUTE;

/** An idle worker doesn't keep this process alive. */
function release(worker: ChildProcess): void {
  worker.unref();
  worker.channel?.unref();
  idle.push({ worker, end: setTimeout(() => worker.kill("SIGKILL"), IDLE_MILLISECONDS).unref() });
}

/** Checks that the worker is alive: if the system killed it while idle, the next upload must not fail for it. */
async function takeIdle(): Promise<ChildProcess | null> {
  for (let last = idle.pop(); last; last = idle.pop()) {
    clearTimeout(last.end);
    last.worker.ref();
    last.worker.channel?.ref();
    if (await isReady(last.worker)) return last.worker;
  }
  return null;
}

const main = fileURLToPath(new URL("worker-main.ts", import.meta.url));

/** Memory limits: JavaScript's heap and its young generation in MiB, and WebAssembly memory in pages of 64 KiB. */
const memoryLimits = ["--max-old-space-size=512", "--max-semi-space-size=2", "--wasm-max-mem-pages=16384"];

/** Null if the worker can't start, or is ended while it does. */
async function start(): Promise<ChildProcess | null> {
  const worker = fork(main, {
    execArgv: memoryLimits,
    env: helperEnvironment(),
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  // Without a listener, too many open files or processes would end the service.
  worker.on("error", () => {});
  return (await isReady(worker)) ? worker : null;
}

async function isReady(worker: ChildProcess): Promise<boolean> {
  return (await request(worker, "ready?")) !== null;
}

/** Null if the worker ends first. One that times out is killed, and the file is invalid. */
async function runTask(worker: ChildProcess, task: object, seconds: number): Promise<TaskResult | null> {
  let late = false;
  const kill = () => {
    late = true;
    worker.kill("SIGKILL");
  };
  const limit = setTimeout(kill, seconds * 1000);
  try {
    const response = await request(worker, task);
    if (response === null && late) throw new InvalidMedia(DAMAGED);
    return response as TaskResult | null;
  } finally {
    clearTimeout(limit);
  }
}

/** Sends a message and returns the worker's next one; null if it exits first, or never started. */
async function request(worker: ChildProcess, message: string | object): Promise<unknown> {
  if (!worker.connected) return null;
  const done = new AbortController();
  try {
    const reply = once(worker, "message", done).then(([reply]) => reply);
    const end = once(worker, "exit", done).then(() => null);
    // With a callback, a failed send emits no error; the exit event follows.
    worker.send(message, () => {});
    return await Promise.race([reply, end]);
  } catch {
    return null;
  } finally {
    done.abort();
  }
}
