import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { HOUR } from "@tandem/contract/durations";
import type { Services } from "../http/services.ts";
import type { Db } from "../storage/storage.ts";
import { traceWork } from "../tracing/tracing.ts";
import type { Job } from "./job.ts";
import { countJobRun } from "./job-metrics.ts";
import { abandonRun, failRun, finishRun, type JobRun, renewRun, startRun } from "./job-runs.ts";
import { LeaseLostError } from "./queue.ts";

/** All in milliseconds. */
export interface Pace {
  /** How long a dead process keeps a job from the others. */
  lease: number;
  /** The pause after a first failure. */
  retry: number;
}

const usual: Pace = { lease: 30_000, retry: 10_000 };

/** How many times a lease is renewed before it would expire. */
const RENEWALS = 3;
/** Maximum sleep in milliseconds, in case the clock or the interval changes meanwhile. */
const LONGEST_REST = HOUR;

/** Stops starting jobs, aborts running ones, and resolves once they have ended and their leases are released. */
export type StopJobs = () => Promise<void>;

/**
 * Runs these jobs, in this process or another that shares the database. An idle process sleeps until one is due.
 */
export function runJobs(services: Services, jobs: readonly Job[], pace: Pace = usual): StopJobs {
  const stopping = new AbortController();
  // Each job and its timers add listeners; this many are not a leak.
  setMaxListeners(0, stopping.signal);
  const all = jobs.map((job) => new Runner(services, job, pace, stopping.signal).work());
  return async () => {
    stopping.abort(new Error("the service stops"));
    await Promise.all(all);
  };
}

/** Runs one job repeatedly. */
class Runner {
  readonly #services: Services;
  readonly #job: Job;
  readonly #pace: Pace;
  readonly #stopping: AbortSignal;

  constructor(services: Services, job: Job, pace: Pace, stopping: AbortSignal) {
    this.#services = services;
    this.#job = job;
    this.#pace = pace;
    this.#stopping = stopping;
  }

  /** Never rejects. */
  async work(): Promise<void> {
    while (!this.#stopping.aborted) {
      const wait = await this.#turn().catch((err) => {
        this.#log(err, "a job could not be started");
        return this.#pace.retry;
      });
      await rest(Math.min(wait, LONGEST_REST), this.#stopping);
    }
  }

  /** Runs the job if it is due and no other process does. Returns how long to wait before the next check. */
  async #turn(): Promise<number> {
    const { name, every } = this.#job;
    const { lease } = this.#pace;
    // Measured from before the query, so that the lease ends here no later than in the database.
    const startedAt = performance.now();
    const run = await this.#write((tx) => startRun(tx, name, every, lease));
    if (typeof run === "number") return run;
    await this.#run(run, startedAt + lease);
    return 0;
  }

  async #run(started: JobRun, ends: number): Promise<void> {
    const { run, every } = this.#job;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping, lost.signal]);
    const stopRenewing = this.#hold(started, ends, lost);
    try {
      await traceWork(`job ${this.#job.name}`, { "tandem.job": this.#job.name }, () =>
        run(this.#services, signal),
      );
      // An aborted run may have ended early.
      signal.throwIfAborted();
      await this.#write((tx) => finishRun(tx, started, every));
      countJobRun(this.#services, this.#job.name, "done");
    } catch (err) {
      countJobRun(this.#services, this.#job.name, signal.aborted ? "aborted" : "failed");
      // A stop is no fault, and most stops meet some job.
      if (this.#stopping.aborted)
        this.#services.log.info(
          { job: this.#job.name, ...(err !== this.#stopping.reason && { err }) },
          "a job was interrupted by the stop, and will run again",
        );
      else this.#log(err, signal.aborted ? "a job was aborted" : "a job failed");
      await this.#write((tx) =>
        signal.aborted ? abandonRun(tx, started) : failRun(tx, started, every, this.#pace.retry),
      ).catch(unlessLost);
    } finally {
      stopRenewing();
    }
  }

  /** Renews the lease until released. `lost` aborts as soon as another process may have taken over. */
  #hold(run: JobRun, ends: number, lost: AbortController): () => void {
    const lose = () => lost.abort(new Error("the lease ran out"));
    let end = setTimeout(lose, ends - performance.now());
    let over = false;
    const renewal = async () => {
      const startedAt = performance.now();
      const renewed = await this.#write((tx) => renewRun(tx, run, this.#pace.lease)).then(
        () => true,
        unlessLost,
      );
      if (over) return;
      clearTimeout(end);
      end = setTimeout(lose, renewed ? startedAt + this.#pace.lease - performance.now() : 0);
    };
    const renewing = setInterval(() => {
      renewal().catch((err) => this.#log(err, "a job's lease could not be renewed"));
    }, this.#pace.lease / RENEWALS);
    return () => {
      over = true;
      clearInterval(renewing);
      clearTimeout(end);
    };
  }

  #write<T>(work: (tx: Db) => Promise<T>): Promise<T> {
    return this.#services.storage.write(work);
  }

  #log(err: unknown, what: string): void {
    this.#services.log.error({ err, job: this.#job.name }, what);
  }
}

/** Another process has the lease; there is nothing left to end. */
function unlessLost(error: unknown): false {
  if (error instanceof LeaseLostError) return false;
  throw error;
}

async function rest(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await pause(milliseconds, null, { signal: stopping, ref: false }).catch(() => {});
}
