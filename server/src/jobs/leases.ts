import { sql } from "kysely";
import type { Db } from "../storage/storage.ts";

/*
 * Whoever runs a job holds a lease of it: a row says who, and until when unless it is renewed. All times are by the
 * database's clock, for those of several machines differ.
 */

/** One run of a job; `holder` is unlike that of any other run. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
}

/**
 * Takes the job for so many milliseconds and gives back 0; where it isn't to be had, gives back how many to wait before
 * it may be.
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
  // Further ahead than can be: the clock was set back, or the job is to run more often than it was.
  if (job.due > 0 && job.due <= every) return job.due;
  await tx
    .updateTable("jobs")
    .set({ holder, lease_ends_at: after(tx, length) })
    .where("name", "=", name)
    .execute();
  return 0;
}

/** Makes a new job known. It is due at once. */
async function enroll(tx: Db, name: string): Promise<void> {
  await tx
    .insertInto("jobs")
    .values({ name, due_at: 0, lease_ends_at: 0, failures: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** False where another has taken it over. */
export async function renew(tx: Db, lease: Lease, length: number): Promise<boolean> {
  const renewed = await held(tx, lease)
    .set({ lease_ends_at: after(tx, length) })
    .executeTakeFirst();
  return renewed.numUpdatedRows > 0n;
}

/** Ends a run that did its work: due again after so many milliseconds. Throws where another has taken it over. */
export async function finish(tx: Db, lease: Lease, every: number): Promise<void> {
  const done = await held(tx, lease)
    .set({ ...free, due_at: after(tx, every), failures: 0 })
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw new Error("another has taken it over");
}

/** Ends a run that failed: due again after a pause that doubles with each failure, up to the usual one. */
export async function fail(tx: Db, lease: Lease, every: number, pause: number): Promise<void> {
  const { name } = lease;
  const job = await tx.selectFrom("jobs").select("failures").where("name", "=", name).executeTakeFirst();
  const failures = job?.failures ?? 0;
  const again = Math.min(every, pause * 2 ** failures);
  await held(tx, lease)
    .set({ ...free, due_at: after(tx, again), failures: failures + 1 })
    .execute();
}

/** Ends a run that was broken off: another may begin the work again at once. */
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
