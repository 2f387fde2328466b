import { DAY } from "@tandem/contract/durations";
import type { DayCount } from "@tandem/contract/moderation";
import { prepared } from "../../storage/prepared.ts";
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
export async function increment(tx: Db, what: DayCount, now: number, times = 1): Promise<void> {
  const shard = tx.engine.rowLocks ? Math.floor(Math.random() * SHARDS) : 0;
  await add(tx, { day: dayOf(now), what, shard, times });
}

interface Addition {
  day: number;
  what: DayCount;
  shard: number;
  times: number;
}

const add = prepared<Addition, never>((db, { day, what, shard, times }) =>
  db
    .insertInto("day_counts")
    .values({ day, what, shard, counted: times })
    .onConflict((conflict) =>
      conflict
        .columns(["day", "what", "shard"])
        .doUpdateSet((eb) => ({ counted: eb("day_counts.counted", "+", eb.ref("excluded.counted")) })),
    )
    .compile(),
);
