import { join } from "node:path";
import { ConfigError } from "../config.ts";
import type { Guard } from "./migrate.ts";
import { isHalfMoved } from "./migration-marker.ts";
import type { PostgresOptions } from "./postgres/postgres.ts";
import type { Tell } from "./postgres/replicas.ts";
import type { Db, Storage } from "./storage.ts";

/** Where a database is: PostgreSQL where that is said, and else a file of ours in that directory. */
export interface Place {
  database: PostgresOptions | null;
  dataDir: string;
}

/** Each engine is loaded when it is needed. */
const sqlite = () => import("./sqlite/sqlite.ts");
const postgres = () => import("./postgres/postgres.ts");

/** Opens the database that the settings name. What goes on with its replicas is told in sentences. */
export async function openStorage({ database, dataDir }: Place, tell?: Tell): Promise<Storage> {
  const guard = refuseHalfMoved;
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { guard });
  const { openPostgres } = await postgres();
  const { Unusable } = await import("./postgres/fitness.ts");
  return openPostgres({ ...database, guard, ...(tell && { tell }) }).catch((error) => {
    throw error instanceof Unusable
      ? new ConfigError(`${error.setting} can't be used: ${error.message}.`)
      : error;
  });
}

/** Opens a database to load rows into, in any order, if the guard lets it. */
export async function openToLoad({ database, dataDir }: Place, guard: Guard): Promise<Storage> {
  if (!database) return (await sqlite()).openSqlite(fileIn(dataDir), { guard, loads: true });
  return (await postgres()).openPostgres({ ...database, guard });
}

/** The same place for a command, behind which nobody waits: no replicas, and no end to what takes long. */
export function unhurried({ database, dataDir }: Place): Place {
  if (!database) return { database, dataDir };
  const { url, connections, prepares } = database;
  return { database: { url, connections, prepares }, dataDir };
}

function fileIn(dataDir: string): string {
  return join(dataDir, "tandem.db");
}

async function refuseHalfMoved(db: Db): Promise<void> {
  if (!(await isHalfMoved(db))) return;
  throw new ConfigError(
    "The database holds a move that isn't finished: run `npm run tandem -- migrate` again from where it came, or use another.",
  );
}
