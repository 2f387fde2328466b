import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { createLog } from "../app.ts";
import { type Config, ConfigError } from "../config.ts";
import { endings, PATIENCE } from "../serve.ts";
import { openStorage, unhurried } from "../storage/open.ts";
import { gatherMetrics } from "./gather.ts";
import { type FromWorker, tell } from "./messages.ts";

/** Milliseconds: who ran that long had begun well, and is replaced at once. */
const STEADY = 10_000;
/** The pause before another is replaced, in milliseconds; it doubles with each that ends early in its place. */
const FIRST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
/** How often each place is tried to be filled, where no worker ever serves. */
const TRIES = 5;
/** Milliseconds that workers get to stop: more than they give their requests. */
const STOPPING = PATIENCE + 5000;

/** No worker ever serves. Its message is a sentence for the operator. */
class NoWorkers extends ConfigError {}

/**
 * Keeps workers that serve one port together, until a signal ends them all. Throws what would keep every one of them
 * from serving, so that it is told once, and {@link NoWorkers}.
 */
export async function keepWorkers(config: Config): Promise<void> {
  await tryAddress(config);
  // Brought up to date before the first worker opens it.
  const storage = await openStorage(unhurried(config));
  if (config.database) await storage.close();
  gatherMetrics(createLog(config));
  // Workers take connections themselves. Were they handed out here, as is Node's custom, those on their way to a worker
  // that dies would hang for good.
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const team = new Team(config);
  for (const signal of endings) process.once(signal, () => team.stop());
  // SQLite's file is closed by its last user, who writes the log back: that must be somebody whom nothing hurries.
  await (config.database ? team.ended : team.ended.finally(() => storage.close()));
}

async function tryAddress({ host, port }: Config): Promise<void> {
  const probe = createServer().listen({ host, port });
  await once(probe, "listening");
  probe.close();
  await once(probe, "close");
}

/** The workers, each in a place that is filled again when it falls empty. */
class Team {
  /** Resolves or rejects once the last has ended. */
  readonly ended: Promise<void>;
  readonly #size: number;
  readonly #log: ReturnType<typeof createLog>;
  /** Where each that runs serves; null until it does. */
  readonly #running = new Map<Worker, string | null>();
  #end: (error?: Error) => void = () => {};
  #error: Error | undefined;
  #stopping = false;
  /** Where the operator was told that they serve. */
  #told = "";
  /** How many ended one after the other without ever having served. */
  #stillborn = 0;

  constructor(config: Config) {
    this.#size = config.workers;
    this.#log = createLog(config);
    this.ended = new Promise((resolve, reject) => {
      this.#end = (error) => (error ? reject(error) : resolve());
    });
    cluster.on("message", (worker: Worker, message: FromWorker) => {
      if (message.kind === "serves") this.#welcome(worker, message.address);
    });
    for (let i = 0; i < this.#size; i++) this.#begin(0);
  }

  stop(error?: Error): void {
    this.#stopping = true;
    this.#error = error;
    for (const [worker, address] of this.#running) {
      // Who is still loading hears no words yet, and has nothing to finish.
      if (address === null) worker.process.kill();
      else tell(worker, { kind: "stop" });
    }
    const impatience = () => {
      for (const worker of this.#running.keys()) worker.process.kill("SIGKILL");
    };
    setTimeout(impatience, STOPPING).unref();
    this.#settle();
  }

  #begin(failures: number): void {
    const worker = cluster.fork();
    const since = performance.now();
    this.#running.set(worker, null);
    worker.once("exit", (code, signal) => {
      const early = performance.now() - since < STEADY;
      this.#miss(worker, signal ?? `exit code ${code}`);
      if (!this.#stopping) void this.#replace(early ? failures + 1 : 0);
    });
  }

  #welcome(worker: Worker, address: string): void {
    this.#running.set(worker, address);
    this.#stillborn = 0;
    const ready = [...this.#running.values()].filter((one) => one !== null).length;
    // Told once: only where all had ended at once may PORT=0 have become another port.
    if (ready < this.#size || this.#told === address) return;
    this.#told = address;
    console.log(`Tandem serves ${address}`);
  }

  #miss(worker: Worker, reason: string): void {
    if (this.#running.get(worker) === null) this.#stillborn += 1;
    this.#running.delete(worker);
    if (this.#stopping) this.#settle();
    else this.#log.error({ worker: worker.process.pid, reason }, "a worker ended, and is replaced");
    if (this.#stopping || this.#stillborn < TRIES * this.#size) return;
    this.stop(new NoWorkers(`No worker could begin to serve; the last ended with ${reason}.`));
  }

  async #replace(failures: number): Promise<void> {
    if (failures > 0) await pause(Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (failures - 1)));
    if (!this.#stopping) this.#begin(failures);
  }

  #settle(): void {
    if (this.#running.size === 0) this.#end(this.#error);
  }
}
