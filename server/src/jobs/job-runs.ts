import { type RawBuilder, sql } from "kysely";
import type { Db } from "../storage/storage.ts";
import { backoff } from "./backoff.ts";
import { lease, type QueueRow, release, renew } from "./queue.ts";

/*
 * Each job has a row in `jobs`, which a process leases to run the job. Both the lease and `due_at` use the database's clock:
 * jobs are due at intervals, which processes with different clocks must agree on.
 */

/** A leased job. */
export type JobRun = QueueRow<"jobs">;

const jobs = { table: "jobs", key: "name" } as const;

/**
 * Leases the job for `milliseconds` if it is due. Otherwise, returns how many milliseconds to wait before the next attempt.
 */
export async function startRun(
  tx: Db,
  name: string,
  every: number,
  milliseconds: number,
): Promise<JobRun | number> {
  const { now, rowLocks } = tx.engine;
  const job = await tx
    .selectFrom("jobs")
    .select((eb) => ["holder", eb("due_at", "-", now).as("due"), eb("lease_ends_at", "-", now).as("leased")])
    .where("name", "=", name)
    .$if(rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!job) {
    await register(tx, name);
    return startRun(tx, name, every, milliseconds);
  }
  if (job.holder !== null && job.leased > 0) return job.leased;
  // Too far in the future: the clock was set back, or the interval was shortened.
  if (job.due > 0 && job.due <= every) return job.due;
  const [run] = await lease(tx, { ...jobs, lease: milliseconds }, [{ key: name }]);
  if (!run) throw new Error(`the job ${name} has no row`);
  return run;
}

/** Registers a new job, due immediately. */
async function register(tx: Db, name: string): Promise<void> {
  await tx
    .insertInto("jobs")
    .values({ name, due_at: 0, lease_ends_at: 0, failures: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Extends the lease. Throws `LeaseLostError`. */
export function renewRun(tx: Db, run: JobRun, milliseconds: number): Promise<void> {
  return renew(tx, jobs, run, milliseconds);
}

/** Ends a successful run; the job is due again after `every` milliseconds. Throws `LeaseLostError`. */
export function finishRun(tx: Db, run: JobRun, every: number): Promise<void> {
  return end(tx, run, { due_at: after(tx, every), failures: 0 });
}

/**
 * Ends a failed run; the job is due again after a pause that doubles with each failure, up to the usual interval. Throws
 * `LeaseLostError`.
 */
export function failRun(tx: Db, run: JobRun, every: number, pause: number): Promise<void> {
  const failures = run.failures + 1;
  const wait = backoff(failures, { first: pause, longest: every });
  return end(tx, run, { due_at: after(tx, wait), failures });
}

/** Ends an aborted run; the job is due again immediately. Throws `LeaseLostError`. */
export function abandonRun(tx: Db, run: JobRun): Promise<void> {
  return end(tx, run, {});
}

function end(tx: Db, run: JobRun, values: { due_at?: RawBuilder<number>; failures?: number }): Promise<void> {
  return release(tx, jobs, run, { ...values });
}

function after({ engine }: Db, milliseconds: number): RawBuilder<number> {
  return sql<number>`${engine.now} + ${sql.lit(Math.round(milliseconds))}`;
}
