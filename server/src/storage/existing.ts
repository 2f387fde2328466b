import type { Db } from "./storage.ts";

/** A database opened as it is: it is neither created nor migrated, and only read. */
export interface ExistingDatabase {
  readonly read: Db;
  /** Runs work on one consistent state of the database, while others write. Throws {@link DamagedDatabase} if it is damaged. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** The database file can't be read as it should. */
export class DamagedDatabase extends Error {}

/** A database to replace as a whole. No process uses it, and none can begin to on SQLite, until it is closed. */
export interface ReplaceableDatabase {
  /** Whether it has data that would be lost. */
  readonly hasData: boolean;
  /** Replaces it by what `fill` creates in an empty database. If that fails, everything stays as it was. */
  replace(fill: (tx: Db) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Tables that everything else depends on. A database without data has no rows in them. */
export const entities = ["users", "posts", "sources"] as const;

/** The first of these tables that has rows; null if all are empty or missing. */
export async function firstWithRows(db: Db): Promise<(typeof entities)[number] | null> {
  for (const table of entities) {
    if (!(await db.engine.catalog.has(db, table))) continue;
    if (await db.selectFrom(table).select("id").limit(1).executeTakeFirst()) return table;
  }
  return null;
}
