import { sql } from "kysely";
import type { DatabaseSizes, Db } from "../storage.ts";

/** Milliseconds for which sizes are remembered: PostgreSQL looks at every file of the database. */
const REMEMBERED = 60_000;

/** Reads the sizes of the database and its server's write-ahead log. The latter needs the role `pg_monitor`. */
export function sizesOf(db: Db): () => Promise<DatabaseSizes> {
  let latest: { at: number; sizes: Promise<DatabaseSizes> } | null = null;
  return () => {
    const now = performance.now();
    if (latest && now - latest.at < REMEMBERED) return latest.sizes;
    const reading = { at: now, sizes: readSizes(db) };
    latest = reading;
    reading.sizes.catch(() => {
      if (latest === reading) latest = null;
    });
    return reading.sizes;
  };
}

async function readSizes(db: Db): Promise<DatabaseSizes> {
  const [row] = (
    await sql<{ database: number; reads_log: boolean }>`select
      pg_database_size(current_database()) as database,
      has_function_privilege('pg_ls_waldir()', 'execute') as reads_log`.execute(db)
  ).rows;
  return { database: row?.database ?? null, log: row?.reads_log ? await readLogSize(db) : null };
}

async function readLogSize(db: Db): Promise<number | null> {
  const { rows } = await sql<{ bytes: number | null }>`select sum(size) as bytes from pg_ls_waldir()`.execute(
    db,
  );
  return rows[0]?.bytes ?? null;
}
