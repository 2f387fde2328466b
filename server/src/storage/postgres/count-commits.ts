import { setTimeout as pause } from "node:timers/promises";
import { type QueryExecutorProvider, sql } from "kysely";
import type { Pool } from "pg";

/**
 * Which transactions a statement sees: each commit changes that. Also when the server started, because after a failover, other transactions
 * may get the same ids. A standby's snapshot doesn't show all that it has replayed.
 */
const seen = sql<{ seen: string | null }>`
  select case when pg_is_in_recovery() then null
    else concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) end as seen`;

interface Options {
  /** Its connections break when the server recovers from a crash, after which ids may be repeated, too. */
  pool?: Pick<Pool, "on">;
  /** Milliseconds after which a request reads without the answer. */
  patience?: number;
}

/**
 * Returns `Storage.askVersion`. It asks one question at a time. Those who ask meanwhile share the next one, since the one under way may have
 * been answered before a commit that they know of.
 */
export function countCommits(
  db: QueryExecutorProvider,
  { pool, patience = 100 }: Options = {},
): () => Promise<number | null> {
  let version = 0;
  let last: string | null = null;
  let next: Promise<number | null> | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const forget = () => {
    last = null;
  };
  pool?.on("error", forget).on("connect", forget);
  const read = async () => {
    const { rows } = await seen.execute(db);
    const now = rows[0]?.seen ?? null;
    if (now !== last) version += 1;
    last = now;
    return now === null ? null : version;
  };
  return () => {
    next ??= previous.then(() => {
      next = null;
      const reading = read().catch(() => {
        forget();
        return null;
      });
      previous = reading;
      return reading;
    });
    return Promise.race([next, pause(patience, null, { ref: false })]);
  };
}
