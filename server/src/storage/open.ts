import { join } from "node:path";
import { ConfigError } from "../config.ts";
import { DamagedDatabase, type ExistingDatabase, type ReplaceableDatabase } from "./existing.ts";
import { type BeforeMigration, newerMigration, schemaOf } from "./migrate.ts";
import { hasUnfinishedMove } from "./migration-marker.ts";
import type { PostgresOptions } from "./postgres/postgres.ts";
import type { Log } from "./postgres/replicas.ts";
import { prepareSecrets } from "./secret-keys.ts";
import { SecretBox } from "./secrets.ts";
import type { Db, Storage } from "./storage.ts";

/** Which database to open: PostgreSQL if `database` is set, otherwise the SQLite file in `dataDir`. */
export interface StorageLocation {
  database: PostgresOptions | null;
  dataDir: string;
  /** The keys for stored secrets, the current one first. Default: see `prepareSecrets`. */
  secretKeys?: readonly Buffer[];
}

// Loaded on demand, so that only the engine in use is.
const sqlite = () => import("./sqlite/sqlite.ts");
const postgres = () => import("./postgres/postgres.ts");

/** Opens the configured database. `log` receives what administrators should know, one sentence each. */
export async function openStorage(location: StorageLocation, log: Log = () => {}): Promise<Storage> {
  const { database, dataDir, secretKeys = [] } = location;
  const secrets = new SecretBox(secretKeys);
  const storage = await openDatabase(location, secrets, log);
  await prepareSecrets(storage, dataDir, database === null).catch(async (error) => {
    await storage.close();
    throw error;
  });
  if (secrets.currentId === null)
    log("Secrets are stored unencrypted. Set SECRETS_KEY to encrypt those of second factors and webhooks.");
  return storage;
}

async function openDatabase(
  { database, dataDir }: StorageLocation,
  secrets: SecretBox,
  log: Log,
): Promise<Storage> {
  const beforeMigration = rejectUnknown;
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { beforeMigration, secrets });
  const { openPostgres } = await postgres();
  return usable(openPostgres({ ...database, beforeMigration, secrets, log }));
}

/** Opens a database that must exist, for reading it as it is. */
export async function openExisting({ database, dataDir }: StorageLocation): Promise<ExistingDatabase> {
  if (!database) return (await import("./sqlite/existing.ts")).openExistingSqlite(fileIn(dataDir));
  return usable((await import("./postgres/existing.ts")).openExistingPostgres(database.url));
}

/** Throws a {@link ConfigError} if there is no database with the tables of Tandem, of whatever version. Creates none. */
export async function requireExisting(location: StorageLocation): Promise<void> {
  const { read, close } = await openExisting(location);
  try {
    if ((await schemaOf(read)) !== null) return;
    const [setting, place] = location.database
      ? ["DATABASE_URL", "The database"]
      : ["DATA_DIR", `The database ${fileIn(location.dataDir)}`];
    throw new ConfigError(
      `${place} has no data of Tandem: check ${setting}, or start the service once, which creates what it needs.`,
    );
  } catch (error) {
    throw error instanceof DamagedDatabase ? new ConfigError(`${error.message}.`, { cause: error }) : error;
  } finally {
    await close();
  }
}

/** Opens a database that no process uses, to replace it as a whole. On SQLite it needn't exist. */
export async function openReplaceable({ database, dataDir }: StorageLocation): Promise<ReplaceableDatabase> {
  if (!database) return (await import("./sqlite/existing.ts")).openReplaceableSqlite(fileIn(dataDir));
  return usable((await import("./postgres/existing.ts")).openReplaceablePostgres(database.url));
}

/** Converts the error of a database that can't be used as it is configured to a {@link ConfigError}. */
function usable<T>(opening: Promise<T>): Promise<T> {
  return opening.catch(async (error) => {
    const { UnusableDatabase } = await import("./postgres/compatibility.ts");
    throw error instanceof UnusableDatabase
      ? new ConfigError(`${error.setting} can't be used: ${error.message}.`)
      : error;
  });
}

/** Opens a database for loading rows in any order, if `beforeMigration` allows it. */
export async function openForBulkLoad(
  { database, dataDir }: StorageLocation,
  beforeMigration: BeforeMigration,
): Promise<Storage> {
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { beforeMigration, bulkLoad: true });
  return (await postgres()).openPostgres({ ...database, beforeMigration });
}

/** The same location for a command-line command: without replicas and without a statement timeout. */
export function withoutLimits({ database, ...location }: StorageLocation): StorageLocation {
  if (!database) return { ...location, database };
  const { url, connections, prepares } = database;
  return { ...location, database: { url, connections, prepares } };
}

function fileIn(dataDir: string): string {
  return join(dataDir, "tandem.db");
}

/** Rejects a database of a newer version, or one whose data is incomplete. */
async function rejectUnknown(db: Db): Promise<void> {
  const newer = await newerMigration(db);
  if (newer !== null)
    throw new ConfigError(
      `The database was migrated by a newer version of Tandem (${newer}): install that version again, or restore a backup from before the upgrade.`,
    );
  if (!(await hasUnfinishedMove(db))) return;
  throw new ConfigError(
    "A migration into this database hasn't finished. Run `npm run tandem -- migrate` again from its source, or use another database.",
  );
}
