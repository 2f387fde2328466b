import type { DayCount } from "@tandem/contract/moderation";
import { prepared } from "../storage/prepared.ts";
import type { Db } from "../storage/storage.ts";

const DAY = 86_400_000;
/** A day's count is spread over so many rows: those who count at the same time seldom meet at one. */
const SHARDS = 16;

/** The day that an instant belongs to, as days since 1970 in UTC. */
export function dayOf(now: number): number {
  return Math.floor(now / DAY);
}

interface Happened {
  /** Whose doing it was: tells which row counts it. */
  by: number;
  now: number;
}

/** Counts what happens, in the transaction in which it does, so that nothing need be counted to be told. */
export async function count(tx: Db, what: DayCount, { by, now }: Happened, times = 1): Promise<void> {
  await add(tx, { day: dayOf(now), what, shard: by % SHARDS, times });
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
