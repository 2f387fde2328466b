import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createLog } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import { endings, longestStop } from "../serve.ts";
import { openStorage, withoutLimits } from "../storage/open.ts";
import { collectMetrics } from "./collect-metrics.ts";
import { type FromWorker, send } from "./messages.ts";

/** Milliseconds: a worker that ran this long is replaced immediately. */
const STABLE_AFTER = 10_000;
/** Milliseconds before a worker that ended early is replaced; doubles each time. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** Attempts per worker before giving up if none ever serves. */
const MAX_ATTEMPTS = 5;

/** Thrown if no worker could start. The message is for the administrator. */
class NoWorkers extends ConfigError {}

/**
 * Runs workers that share one port, until a signal ends them. Errors that would affect every worker are thrown here, so
 * that they are reported once; also throws {@link NoWorkers}.
 */
export async function runWorkers(config: Config): Promise<void> {
  await checkAddress(config);
  // Migrate before the first worker opens the database.
  const storage = await openStorage(withoutLimits(config));
  if (config.database) await storage.close();
  collectMetrics(createLog(config));
  // Workers accept connections themselves. With Node's default, connections being handed to a worker that dies would hang
  // forever.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const pool = new WorkerPool(config);
  for (const signal of endings) process.once(signal, () => pool.stop(signal));
  // The last process to close SQLite's file checkpoints its log. The primary isn't killed by a deadline, so it should be last.
  await (config.database ? pool.ended : pool.ended.finally(() => storage.close()));
}

async function checkAddress({ host, port }: Config): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}

/** The workers, each of which is replaced when it ends. */
class WorkerPool {
  /** Settles once the last worker has ended. */
  readonly ended: Promise<void>;
  readonly #size: number;
  /** Milliseconds that workers get to stop. */
  readonly #stopTimeout: number;
  readonly #log: ReturnType<typeof createLog>;
  /** The URL of each running worker; null until it serves. */
  readonly #running = new Map<Worker, string | null>();
  #end: (error?: Error) => void = () => {};
  #error: Error | undefined;
  #stopping = false;
  /** The URL printed for the administrator. */
  #printedAddress = "";
  /** Consecutive workers that ended before serving. */
  #failedStarts = 0;

  constructor(config: Config) {
    this.#size = config.workers;
    this.#stopTimeout = longestStop(config) + 1000;
    this.#log = createLog(config);
    this.ended = new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    cluster.on("message", (worker: Worker, message: FromWorker) => {
      if (message.kind === "serves") this.#onServing(worker, message.address);
    });
    for (let i = 0; i < this.#size; i++) this.#begin(0);
  }

  stop(reason: string, error?: Error): void {
    this.#stopping = true;
    this.#error = error;
    for (const [worker, address] of this.#running) {
      // A worker that is still loading can't receive messages, and has nothing to finish.
      if (address === null) worker.process.kill();
      else send(worker, { kind: "stop", reason });
    }
    const killAll = () => {
      for (const worker of this.#running.keys()) worker.process.kill("SIGKILL");
    };
    setTimeout(killAll, this.#stopTimeout).unref();
    this.#settle();
  }

  #begin(failures: number): void {
    const worker = cluster.fork();
    const since = performance.now();
    this.#running.set(worker, null);
    worker.once("exit", (code, signal) => {
      const early = performance.now() - since < STABLE_AFTER;
      this.#onExit(worker, signal ?? `exit code ${code}`);
      if (!this.#stopping) void this.#replace(early ? failures + 1 : 0);
    });
  }

  #onServing(worker: Worker, address: string): void {
    this.#running.set(worker, address);
    this.#failedStarts = 0;
    const ready = [...this.#running.values()].filter((one) => one !== null).length;
    // Printed once: with PORT=0 the port changes only if all workers ended at the same time.
    if (ready < this.#size || this.#printedAddress === address) return;
    this.#printedAddress = address;
    console.log(`Tandem serves ${address}`);
  }

  #onExit(worker: Worker, reason: string): void {
    if (this.#running.get(worker) === null) this.#failedStarts += 1;
    this.#running.delete(worker);
    if (this.#stopping) this.#settle();
    else this.#log.error({ worker: worker.process.pid, reason }, "a worker ended and is being replaced");
    if (this.#stopping || this.#failedStarts < MAX_ATTEMPTS * this.#size) return;
    this.stop(
      "no worker could start",
      new NoWorkers(`No worker could start; the last one ended with ${reason}.`),
    );
  }

  async #replace(failures: number): Promise<void> {
    if (failures > 0) await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1)));
    if (!this.#stopping) this.#begin(failures);
  }

  #settle(): void {
    if (this.#running.size === 0) this.#end(this.#error);
  }
}
