import type { DayCount } from "@tandem/contract/moderation";
import { prepared } from "../../storage/prepared.ts";
import type { Db } from "../../storage/storage.ts";

const DAY = 86_400_000;
/** A day's count is spread over so many rows: those who count at the same time seldom meet at one. */
const SHARDS = 32;

/** The day that an instant belongs to, as days since 1970 in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY);
}

/**
 * Counts what happens, in the transaction in which it does, so that nothing need be counted to be told. As late in it as
 * can be: whoever meets it at its row waits until it ends.
 */
export async function increment(tx: Db, what: DayCount, now: number, times = 1): Promise<void> {
  await add(tx, { day: dayOf(now), what, shard: Math.floor(Math.random() * SHARDS), times });
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
