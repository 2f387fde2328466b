import { type QueryExecutorProvider, sql } from "kysely";

/**
 * Which transactions a statement sees. As long as that is the same, so is the database, because each commit changes it. Also when the server
 * started: after a failover, other transactions may get the same ids.
 */
const seen = sql<{ seen: string }>`
  select concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) as seen`;

/**
 * Returns `Storage.askVersion`. It asks one question at a time. Those who ask meanwhile share the next one, since the one under way may have
 * been answered before a commit that they know of.
 */
export function countCommits(db: QueryExecutorProvider): () => Promise<number> {
  let version = 0;
  let last = "";
  let next: Promise<number> | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const read = async () => {
    const { rows } = await seen.execute(db);
    const now = rows[0]?.seen ?? "";
    if (now !== last) version += 1;
    last = now;
    return version;
  };
  return () => {
    next ??= previous.then(() => {
      next = null;
      const reading = read();
      previous = reading.catch(() => {});
      return reading;
    });
    return next;
  };
}
