import { join } from "node:path";
import { ConfigError } from "../config.ts";
import type { ExistingDatabase, ReplaceableDatabase } from "./existing.ts";
import type { BeforeMigration } from "./migrate.ts";
import { hasUnfinishedMove } from "./migration-marker.ts";
import type { PostgresOptions } from "./postgres/postgres.ts";
import type { Log } from "./postgres/replicas.ts";
import type { Db, Storage } from "./storage.ts";

/** Which database to open: PostgreSQL if `database` is set, otherwise the SQLite file in `dataDir`. */
export interface StorageLocation {
  database: PostgresOptions | null;
  dataDir: string;
}

// Loaded on demand, so that only the engine in use is.
const sqlite = () => import("./sqlite/sqlite.ts");
const postgres = () => import("./postgres/postgres.ts");

/** Opens the configured database. `log` receives changes in the state of its replicas, one sentence each. */
export async function openStorage({ database, dataDir }: StorageLocation, log?: Log): Promise<Storage> {
  const beforeMigration = rejectUnfinishedMove;
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { beforeMigration });
  const { openPostgres } = await postgres();
  return usable(openPostgres({ ...database, beforeMigration, ...(log && { log }) }));
}

/** Opens a database that must exist, for reading it as it is. */
export async function openExisting({ database, dataDir }: StorageLocation): Promise<ExistingDatabase> {
  if (!database) return (await import("./sqlite/existing.ts")).openExistingSqlite(fileIn(dataDir));
  return usable((await import("./postgres/existing.ts")).openExistingPostgres(database.url));
}

/** Opens a database that no process uses, to replace it as a whole. On SQLite it needn't exist. */
export async function openReplaceable({ database, dataDir }: StorageLocation): Promise<ReplaceableDatabase> {
  if (!database) return (await import("./sqlite/existing.ts")).openReplaceableSqlite(fileIn(dataDir));
  return usable((await import("./postgres/existing.ts")).openReplaceablePostgres(database.url));
}

/** Converts the error of a database that can't be used as it is configured to a {@link ConfigError}. */
async function usable<T>(opening: Promise<T>): Promise<T> {
  const { UnusableDatabase } = await import("./postgres/compatibility.ts");
  return opening.catch((error) => {
    throw error instanceof UnusableDatabase
      ? new ConfigError(`${error.setting} can't be used: ${error.message}.`)
      : error;
  });
}

/** Opens a database for loading rows in any order, if the beforeMigration allows it. */
export async function openForBulkLoad(
  { database, dataDir }: StorageLocation,
  beforeMigration: BeforeMigration,
): Promise<Storage> {
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { beforeMigration, bulkLoad: true });
  return (await postgres()).openPostgres({ ...database, beforeMigration });
}

/** The same location for a command-line command: without replicas and without a statement timeout. */
export function withoutLimits({ database, dataDir }: StorageLocation): StorageLocation {
  if (!database) return { database, dataDir };
  const { url, connections, prepares } = database;
  return { database: { url, connections, prepares }, dataDir };
}

function fileIn(dataDir: string): string {
  return join(dataDir, "tandem.db");
}

async function rejectUnfinishedMove(db: Db): Promise<void> {
  if (!(await hasUnfinishedMove(db))) return;
  throw new ConfigError(
    "A migration into this database hasn't finished. Run `npm run tandem -- migrate` again from its source, or use another database.",
  );
}
