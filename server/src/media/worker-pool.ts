import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Overloaded } from "../storage/storage.ts";
import { InvalidMedia } from "./invalid-media.ts";
import type { Answer, Tasks } from "./worker-main.ts";

/** Too many files wait to be worked on; later there will be room. */
export class MediaBusy extends Overloaded {
  override message = "Too many files are being worked on.";
}

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

/**
 * Does a task in a process of its own, one of a few. What strangers send is decoded there: it may crash it, hang or
 * eat memory, and the service only hears that the file is unfit. Throws {@link InvalidMedia}, {@link MediaBusy}, or
 * whatever is our own fault, such as a full disk.
 */
export async function apart<Name extends keyof Tasks>(
  name: Name,
  input: Input<Name>,
  seconds = LONGEST,
): Promise<Output<Name>> {
  await takePlace();
  try {
    const helper = (await wake()) ?? (await start());
    const answer = await ask(helper, { name, input }, seconds);
    rest(helper);
    if ("unfit" in answer) throw new InvalidMedia(answer.unfit);
    if ("broken" in answer)
      throw Object.assign(new Error(`${name} failed: ${answer.broken}`), { code: answer.code });
    return answer.result as Output<Name>;
  } finally {
    leavePlace();
  }
}

/** Seconds that a task may take. The largest pictures and videos take a few on a slow machine. */
const LONGEST = 30;

/** Processes at most: one processor is left to the service itself. */
let most = mostFor(1);

/** The machine's processors are shared by so many processes that serve. */
export function shareProcessors(servers: number): void {
  most = mostFor(servers);
}

function mostFor(servers: number): number {
  return Math.max(1, Math.min(4, Math.floor((availableParallelism() - 1) / servers)));
}

const MOST_WAITING = 64;
const waiting: (() => void)[] = [];
let taken = 0;

async function takePlace(): Promise<void> {
  if (taken < most) taken += 1;
  else if (waiting.length >= MOST_WAITING) throw new MediaBusy();
  else await new Promise<void>((go) => waiting.push(go));
}

/** Who waits gets the place itself. */
function leavePlace(): void {
  const next = waiting.shift();
  if (next) next();
  else taken -= 1;
}

/** Processes without work, and when each is ended, so that its memory goes back. */
const idle: { helper: ChildProcess; end: NodeJS.Timeout }[] = [];
const IDLE_MILLISECONDS = 60_000;

/** A process without work keeps nobody from ending. */
function rest(helper: ChildProcess): void {
  helper.unref();
  helper.channel?.unref();
  idle.push({ helper, end: setTimeout(() => helper.kill("SIGKILL"), IDLE_MILLISECONDS).unref() });
}

/** One that is still alive: the system may have ended another meanwhile, and for that no sender is to blame. */
async function wake(): Promise<ChildProcess | null> {
  for (let last = idle.pop(); last; last = idle.pop()) {
    clearTimeout(last.end);
    last.helper.ref();
    last.helper.channel?.ref();
    if (await isReady(last.helper)) return last.helper;
  }
  return null;
}

const main = fileURLToPath(new URL("worker-main.ts", import.meta.url));

/** Bounds of memory: what JavaScript holds, and what of it is young, in MiB; and what WebAssembly holds, in pages of 64 KiB. */
const bounds = ["--max-old-space-size=512", "--max-semi-space-size=2", "--wasm-max-mem-pages=16384"];

async function start(): Promise<ChildProcess> {
  const { PATH, TMPDIR } = process.env;
  const helper = fork(main, {
    execArgv: bounds,
    // It needs no secret of ours, and gets none.
    env: { ...(PATH && { PATH }), ...(TMPDIR && { TMPDIR }) },
    serialization: "advanced",
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  if (!(await isReady(helper))) throw new Error("media: a process to work in doesn't start");
  return helper;
}

async function isReady(helper: ChildProcess): Promise<boolean> {
  return (await tell(helper, "ready?")) !== null;
}

/** What it answers. Whoever doesn't in time is ended, and so is unfit like one that ends by itself. */
async function ask(helper: ChildProcess, task: object, seconds: number): Promise<Answer> {
  const limit = setTimeout(() => helper.kill("SIGKILL"), seconds * 1000);
  try {
    const answer = await tell(helper, task);
    if (answer === null) throw new InvalidMedia("The file is damaged, or takes too long to read.");
    return answer as Answer;
  } finally {
    clearTimeout(limit);
  }
}

/** Its next word; null if it ends without one. */
async function tell(helper: ChildProcess, message: string | object): Promise<unknown> {
  if (!helper.connected) return null;
  const heard = new AbortController();
  try {
    const word = once(helper, "message", heard).then(([said]) => said);
    const end = once(helper, "exit", heard).then(() => null);
    helper.send(message, () => "who can't be told has ended");
    return await Promise.race([word, end]);
  } finally {
    heard.abort();
  }
}
