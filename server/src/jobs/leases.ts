import { sql } from "kysely";
import type { Db } from "../storage/storage.ts";

/*
 * A process that runs a job holds a lease: a row with the holder and when it expires. All times are the database's, since
 * clocks of machines differ.
 */

/** One run of a job; `holder` is unique to the run. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
}

/**
 * Acquires the lease for `length` milliseconds and returns 0, or returns how many milliseconds to wait before trying again.
 */
export async function claim(tx: Db, lease: Lease, every: number, length: number): Promise<number> {
  const { now, rowLocks } = tx.engine;
  const { name, holder } = lease;
  const job = await tx
    .selectFrom("jobs")
    .select((eb) => [eb("due_at", "-", now).as("due"), eb("lease_ends_at", "-", now).as("leased")])
    .where("name", "=", name)
    .$if(rowLocks, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!job) {
    await enroll(tx, name);
    return claim(tx, lease, every, length);
  }
  if (job.leased > 0) return job.leased;
  // Too far in the future: the clock was set back, or the interval was shortened.
  if (job.due > 0 && job.due <= every) return job.due;
  await tx
    .updateTable("jobs")
    .set({ holder, lease_ends_at: after(tx, length) })
    .where("name", "=", name)
    .execute();
  return 0;
}

/** Registers a new job, due immediately. */
async function enroll(tx: Db, name: string): Promise<void> {
  await tx
    .insertInto("jobs")
    .values({ name, due_at: 0, lease_ends_at: 0, failures: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False if another process has taken over. */
export async function renew(tx: Db, lease: Lease, length: number): Promise<boolean> {
  const renewed = await held(tx, lease)
    .set({ lease_ends_at: after(tx, length) })
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

/** Ends a successful run; due again after `every` milliseconds. Throws if another process has taken over. */
export async function finish(tx: Db, lease: Lease, every: number): Promise<void> {
  const done = await held(tx, lease)
    .set({ ...free, due_at: after(tx, every), failures: 0 })
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw new Error("another has taken it over");
}

/** Ends a failed run; due again after a pause that doubles with each failure, up to the usual interval. */
export async function fail(tx: Db, lease: Lease, every: number, pause: number): Promise<void> {
  const { name } = lease;
  const job = await tx.selectFrom("jobs").select("failures").where("name", "=", name).executeTakeFirst();
  const failures = job?.failures ?? 0;
  const again = Math.min(every, pause * 2 ** failures);
  await held(tx, lease)
    .set({ ...free, due_at: after(tx, again), failures: failures + 1 })
    .execute();
}

/** Ends an aborted run; due again immediately. */
export async function giveBack(tx: Db, lease: Lease): Promise<void> {
  await held(tx, lease).set(free).execute();
}

const free = { holder: null, lease_ends_at: 0 };

function held(tx: Db, { name, holder }: Lease) {
  return tx.updateTable("jobs").where("name", "=", name).where("holder", "=", holder);
}

function after(tx: Db, milliseconds: number) {
  return sql<number>`${tx.engine.now} + ${Math.round(milliseconds)}`;
}
