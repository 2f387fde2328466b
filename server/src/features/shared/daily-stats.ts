import { DAY } from "@tandem/contract/durations";
import type { StoredCount } from "@tandem/contract/transparency";
import type { OnConflictBuilder } from "kysely";
import { prepared } from "../../storage/prepared.ts";
import type { Schema } from "../../storage/schema.ts";
import type { Db } from "../../storage/storage.ts";

/** Rows per day and counter. Concurrent transactions pick one at random, so that they rarely wait for each other's row lock. */
const SHARDS = 32;

/** The UTC day of a time, as days since 1970. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY);
}

/**
 * Adds to a day's count, in the transaction of what is counted. Call it as late as possible: it locks a row until the
 * transaction ends.
 */
export async function increment(tx: Db, what: StoredCount, now: number, times = 1): Promise<void> {
  await add(tx.later, { day: dayOf(now), what, shard: shardFor(tx), times });
}

function shardFor(tx: Db): number {
  return tx.engine.rowLocks ? Math.floor(Math.random() * SHARDS) : 0;
}

interface Addition {
  day: number;
  what: StoredCount;
  shard: number;
  times: number;
}

const add = prepared<Addition, never>((db, { day, what, shard, times }) =>
  db.insertInto("day_counts").values({ day, what, shard, counted: times }).onConflict(addToCount).compile(),
);

/** The same for several counts of several days; the times are in milliseconds. */
export async function incrementAll(
  tx: Db,
  counted: readonly { what: StoredCount; at: number; times?: number }[],
): Promise<void> {
  const totals = new Map<string, { day: number; what: StoredCount; counted: number }>();
  for (const { what, at, times = 1 } of counted) {
    const day = dayOf(at);
    const known = totals.get(`${day} ${what}`);
    totals.set(`${day} ${what}`, { day, what, counted: times + (known?.counted ?? 0) });
  }
  await addRows(tx, [...totals.values()], shardFor(tx));
}

async function addRows(
  tx: Db,
  rows: readonly { day: number; what: StoredCount; counted: number }[],
  shard: number,
): Promise<void> {
  if (rows.length === 0) return;
  // Sorted, so that concurrent transactions don't deadlock.
  const sorted = rows.toSorted((a, b) => a.day - b.day || (a.what < b.what ? -1 : 1));
  await tx
    .insertInto("day_counts")
    .values(sorted.map((row) => ({ ...row, shard })))
    .onConflict(addToCount)
    .execute();
}

function addToCount(conflict: OnConflictBuilder<Schema, "day_counts">) {
  return conflict
    .columns(["day", "what", "shard"])
    .doUpdateSet((eb) => ({ counted: eb("day_counts.counted", "+", eb.ref("excluded.counted")) }));
}

/** The most rows that one transaction merges. */
const BATCH = 2000;

/** Merges the rows of days that are over, so that reading many days stays cheap. Returns whether there may be more. */
export async function mergeShards(tx: Db, today: number): Promise<boolean> {
  const rows = await tx
    .selectFrom("day_counts")
    .selectAll()
    .where("shard", ">", 0)
    .where("day", "<", today)
    .orderBy("day")
    .orderBy("what")
    .orderBy("shard")
    .limit(BATCH)
    .$if(tx.engine.rowLocks, (query) => query.forUpdate())
    .execute();
  const totals = new Map<string, { day: number; what: StoredCount; counted: number }>();
  for (const { day, what, counted } of rows) {
    const known = totals.get(`${day} ${what}`)?.counted ?? 0;
    totals.set(`${day} ${what}`, { day, what, counted: known + Number(counted) });
  }
  await addRows(tx, [...totals.values()], 0);
  for (const { day, what, shard } of rows)
    await tx
      .deleteFrom("day_counts")
      .where("day", "=", day)
      .where("what", "=", what)
      .where("shard", "=", shard)
      .execute();
  return rows.length === BATCH;
}

/** The counts of the last days up to today, by day and name. Names that weren't counted are missing. */
export async function countsOfDays(db: Db, today: number, days: number): Promise<Map<string, number>[]> {
  const rows = await db
    .selectFrom("day_counts")
    .select(["day", "what"])
    .select((eb) => eb.fn.sum<number>("counted").as("counted"))
    .where("day", ">", today - days)
    .where("day", "<=", today)
    .groupBy(["day", "what"])
    .execute();
  const counts = Array.from({ length: days }, () => new Map<string, number>());
  for (const { day, what, counted } of rows) counts[day - today + days - 1]?.set(what, Number(counted));
  return counts;
}

/** The date of a day, as `2026-01-31`. */
export const dateOf = (day: number): string => new Date(day * DAY).toISOString().slice(0, 10);
