import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { ConfigError } from "../../config.ts";
import type { SchemaObject } from "../catalog.ts";
import {
  DamagedDatabase,
  type ExistingDatabase,
  firstWithRows,
  type ReplaceableDatabase,
} from "../existing.ts";
import { flush } from "../flush.ts";
import { createSchema, latestSchema } from "../migrate.ts";
import type { Db } from "../storage.ts";
import { asOverloaded, isBusy, isDamage } from "./errors.ts";
import { kysely } from "./sqlite.ts";

/** Milliseconds that a read waits for a lock, which others hold only for moments. */
const READ_TIMEOUT = 10_000;
/** Milliseconds to wait for others to close the file. */
const CLOSING_TIMEOUT = 1000;

/** Opens the file for reading. Throws a {@link ConfigError} if it doesn't exist. */
export function openExistingSqlite(file: string): ExistingDatabase {
  if (!existsSync(file))
    throw new ConfigError(
      `There is no database ${file}: check DATA_DIR, or start the service once, which creates it.`,
    );
  // Not read-only: the last process that closes the file tidies up its log.
  const database = new Database(file, { fileMustExist: true, timeout: READ_TIMEOUT });
  database.pragma("query_only = on");
  const read = kysely(database, undefined, (error) =>
    isDamage(error)
      ? new DamagedDatabase(`The database ${file} is damaged: ${(error as Error).message}`, { cause: error })
      : asOverloaded(error),
  );
  return {
    read,
    async snapshot(work) {
      try {
        database.exec("begin");
        return await work(read);
      } catch (error) {
        throw isDamage(error)
          ? new DamagedDatabase(`The database ${file} is damaged`, { cause: error })
          : error;
      } finally {
        if (database.inTransaction) database.exec("rollback");
      }
    },
    close: async () => void database.close(),
  };
}

/**
 * Prepares to replace the file, which needn't exist. Throws a {@link ConfigError} if a process has it open. The new
 * database is a file next to it until it is complete.
 */
export async function openReplaceableSqlite(file: string): Promise<ReplaceableDatabase> {
  await mkdir(dirname(file), { recursive: true });
  const old = existsSync(file) ? await takeAlone(file) : null;
  const filled = `${file}.restoring`;
  return {
    hasData: old?.hasData ?? false,
    async replace(fill) {
      await removeAll(filled);
      try {
        await create(filled, fill);
        await flush(filled);
        // SQLite would apply a log that is left of the old file to the new one.
        for (const suffix of ["-wal", "-shm"]) await rm(file + suffix, { force: true });
        await rename(filled, file);
        await flush(dirname(file));
      } finally {
        await removeAll(filled);
      }
    },
    close: async () => old?.close(),
  };
}

/** Locks the file so that no other process can open it, and moves its log into it. */
async function takeAlone(file: string): Promise<{ hasData: boolean; close(): void }> {
  const database = new Database(file, { fileMustExist: true, timeout: CLOSING_TIMEOUT });
  const close = () => void database.close();
  try {
    // Possible only if no other process has the file open.
    database.pragma("journal_mode = delete");
    database.exec("begin exclusive");
    return { hasData: (await firstWithRows(kysely(database))) !== null, close };
  } catch (error) {
    if (!isBusy(error)) return { hasData: true, close };
    close();
    throw new ConfigError(`Another process uses the database ${file}: stop the service first.`);
  }
}

/** Without a log, because a file that isn't finished is deleted. */
async function create(file: string, fill: (tx: Db) => Promise<void>): Promise<void> {
  const database = new Database(file);
  try {
    for (const setting of ["journal_mode = off", "synchronous = off", "foreign_keys = off"])
      database.pragma(setting);
    database.pragma("cache_size = -64000");
    const db = kysely(database);
    database.exec("begin");
    await fill(db);
    database.exec("commit");
    const [damage] = await db.engine.catalog.damages(db);
    if (damage !== undefined) throw new Error(`The new database is damaged: ${damage}`);
  } catch (error) {
    // For example a full disk.
    throw asOverloaded(error);
  } finally {
    database.close();
  }
}

/** The names of the tables in the latest schema. */
export async function tablesOfLatestSchema(): Promise<readonly string[]> {
  return (await readLatestSchema()).tables;
}

/** What the latest schema has on SQLite. */
export async function objectsOfLatestSchema(): Promise<readonly SchemaObject[]> {
  return (await readLatestSchema()).objects;
}

interface LatestSchema {
  tables: readonly string[];
  objects: readonly SchemaObject[];
}

/** Read once per process: it takes all migrations. */
let latest: Promise<LatestSchema> | undefined;

function readLatestSchema(): Promise<LatestSchema> {
  latest ??= migrateInMemory();
  return latest;
}

async function migrateInMemory(): Promise<LatestSchema> {
  const database = new Database(":memory:");
  try {
    const db = kysely(database);
    await createSchema(db, latestSchema);
    const { catalog } = db.engine;
    return {
      tables: (await catalog.tables(db)).map(({ name }) => name),
      objects: await catalog.objects(db),
    };
  } finally {
    database.close();
  }
}

async function removeAll(file: string): Promise<void> {
  for (const suffix of ["", "-journal", "-wal", "-shm"]) await rm(file + suffix, { force: true });
}
