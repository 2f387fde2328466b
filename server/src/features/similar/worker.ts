import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { MINUTE } from "@tandem/contract/durations";
import { Overloaded } from "../../storage/storage.ts";
import { traceStep } from "../../tracing/tracing.ts";
import type { Done, Tasks } from "./worker-main.ts";

/** Too many searches by meaning wait, or the worker process ended. Retrying later helps. */
class MeaningsBusy extends Overloaded {
  override message = "Too many searches by meaning are in progress. Try again shortly.";
}

type Input<Name extends keyof Tasks> = Parameters<Tasks[Name]>[0];
type Output<Name extends keyof Tasks> = Awaited<ReturnType<Tasks[Name]>>;

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** Tasks that may wait when a search begins: together they take some seconds. */
const MOST_WAITING = 32;
/** How long an unused process keeps its memory, and how long a task may take. */
const IDLE_TIME = 10 * MINUTE;
const TIMEOUT = MINUTE;

const main = fileURLToPath(new URL("worker-main.ts", import.meta.url));

/** A worker process, which starts with the first task and ends when unused. It keeps what it was given as long as it runs. */
export class MeaningWorker {
  #child: ChildProcess | null = null;
  #waiting = new Map<number, Waiting>();
  #number = 0;
  #end: NodeJS.Timeout | undefined;
  /** Counts the processes that ended. What one was given, the next doesn't know. */
  ended = 0;

  /** Throws {@link MeaningsBusy} if no more searches should wait. */
  assertRoom(): void {
    if (this.#waiting.size >= MOST_WAITING) throw new MeaningsBusy();
  }

  /** Throws {@link MeaningsBusy} if the process ends meanwhile, or the error of a task that failed. */
  run<Name extends keyof Tasks>(name: Name, input: Input<Name>): Promise<Output<Name>> {
    return traceStep(
      () => ({ name: `meanings ${name}` }),
      () =>
        new Promise((resolve, reject) => {
          const child = this.#child ?? this.#begin();
          const number = ++this.#number;
          if (this.#waiting.size === 0) this.#endAfter(TIMEOUT);
          this.#waiting.set(number, { resolve: resolve as Waiting["resolve"], reject });
          // With a callback, a failed send emits no error; the exit event follows.
          child.send({ number, name, input }, () => {});
        }),
    );
  }

  stop(): void {
    clearTimeout(this.#end);
    this.#child?.kill("SIGKILL");
  }

  #begin(): ChildProcess {
    const { PATH } = process.env;
    const child = fork(main, {
      // No other variables, so that it has no access to secrets.
      env: { ...(PATH && { PATH }) },
      serialization: "advanced",
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    child.on("message", (done: Done) => this.#settle(done));
    // Without a listener, too many open files or processes would end the service.
    child.on("error", () => this.#lose(child));
    child.on("exit", () => this.#lose(child));
    // It doesn't keep this process alive.
    child.unref();
    child.channel?.unref();
    this.#child = child;
    return child;
  }

  #settle(done: Done): void {
    const waiting = this.#waiting.get(done.number);
    this.#waiting.delete(done.number);
    if ("failure" in done) waiting?.reject(new Error(done.failure));
    else waiting?.resolve(done.result);
    this.#endAfter(this.#waiting.size > 0 ? TIMEOUT : IDLE_TIME);
  }

  #endAfter(milliseconds: number): void {
    clearTimeout(this.#end);
    this.#end = setTimeout(() => this.#child?.kill("SIGKILL"), milliseconds).unref();
  }

  #lose(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = null;
    this.ended += 1;
    const lost = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of lost) reject(new MeaningsBusy());
  }
}
