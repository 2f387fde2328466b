import { randomUUID } from "node:crypto";
import { setMaxListeners } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import type { House } from "../http/house.ts";
import type { Db } from "../storage/storage.ts";
import type { Job } from "./job.ts";
import { claim, fail, finish, giveBack, type Lease, renew } from "./leases.ts";

/** All in milliseconds. */
export interface Pace {
  /** How long a process that died keeps a job from the others. */
  lease: number;
  /** The pause after a first failure. */
  retry: number;
}

const usual: Pace = { lease: 30_000, retry: 10_000 };

/** How often a lease is renewed before it would run out. */
const RENEWALS = 3;
/** Nobody sleeps longer than this, in milliseconds, whatever the clock and the interval were when it lay down. */
const LONGEST_REST = 3_600_000;

/** Stops looking for work, tells what runs to end, and resolves once it has and its leases are given back. */
export type StopJobs = () => Promise<void>;

/**
 * Sees to it that these jobs are run, by this process or another over the same database. An idle process sleeps until
 * one of them is due.
 */
export function runJobs(house: House, jobs: readonly Job[], pace: Pace = usual): StopJobs {
  const stopping = new AbortController();
  // Each job listens, and so does what it waits for: that many are no leak.
  setMaxListeners(0, stopping.signal);
  const all = jobs.map((job) => new Runner(house, job, pace, stopping.signal).work());
  return async () => {
    stopping.abort(new Error("the service stops"));
    await Promise.all(all);
  };
}

/** Looks after one job. */
class Runner {
  readonly #house: House;
  readonly #job: Job;
  readonly #pace: Pace;
  readonly #stopping: AbortSignal;

  constructor(house: House, job: Job, pace: Pace, stopping: AbortSignal) {
    this.#house = house;
    this.#job = job;
    this.#pace = pace;
    this.#stopping = stopping;
  }

  /** Never rejects. */
  async work(): Promise<void> {
    while (!this.#stopping.aborted) {
      const wait = await this.#turn().catch((err) => {
        this.#log(err, "a job can't be looked after");
        return this.#pace.retry;
      });
      await rest(Math.min(wait, LONGEST_REST), this.#stopping);
    }
  }

  /** Runs the job if it is due and nobody else does. Gives back how long to wait before the next look. */
  async #turn(): Promise<number> {
    const lease = { name: this.#job.name, holder: randomUUID() };
    // Counted from before the database heard of it, so that here it ends no later than there.
    const asked = performance.now();
    const wait = await this.#write((tx) => claim(tx, lease, this.#job.every, this.#pace.lease));
    if (wait === 0) await this.#run(lease, asked + this.#pace.lease);
    return wait;
  }

  async #run(lease: Lease, ends: number): Promise<void> {
    const { run, every } = this.#job;
    const lost = new AbortController();
    const signal = AbortSignal.any([this.#stopping, lost.signal]);
    const letGo = this.#hold(lease, ends, lost);
    try {
      await run(this.#house, signal);
      // What was told to end may have ended half done.
      signal.throwIfAborted();
      await this.#write((tx) => finish(tx, lease, every));
    } catch (err) {
      this.#log(err, signal.aborted ? "a job was broken off" : "a job failed");
      await this.#write((tx) =>
        signal.aborted ? giveBack(tx, lease) : fail(tx, lease, every, this.#pace.retry),
      );
    } finally {
      letGo();
    }
  }

  /** Renews the lease until it is let go. `lost` is aborted as soon as another may have it. */
  #hold(lease: Lease, ends: number, lost: AbortController): () => void {
    const lose = () => lost.abort(new Error("the lease ran out"));
    let end = setTimeout(lose, ends - performance.now());
    let over = false;
    const renewal = async () => {
      const asked = performance.now();
      const renewed = await this.#write((tx) => renew(tx, lease, this.#pace.lease));
      if (over) return;
      clearTimeout(end);
      end = setTimeout(lose, renewed ? asked + this.#pace.lease - performance.now() : 0);
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
    return this.#house.storage.write(work);
  }

  #log(err: unknown, what: string): void {
    this.#house.log.error({ err, job: this.#job.name }, what);
  }
}

async function rest(milliseconds: number, stopping: AbortSignal): Promise<void> {
  await pause(milliseconds, null, { signal: stopping, ref: false }).catch(() => {});
}
