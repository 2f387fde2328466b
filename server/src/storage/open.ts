import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import { isHalfMoved } from "./half-moved.ts";
import type { Guard } from "./migrate.ts";
import { isRefusal } from "./postgres/errors.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Db, Storage } from "./storage.ts";

type Place = Pick<Config, "database" | "dataDir">;

/** Opens the database that the settings name: PostgreSQL where there is a URL of one, and else a file of ours. */
export function openStorage({ database, dataDir }: Place): Promise<Storage> {
  if (!database) return openSqlite(fileIn(dataDir), { guard: refuseHalfMoved });
  return openPostgres({ ...database, guard: refuseHalfMoved }).catch((error) => {
    throw isRefusal(error) ? new ConfigError(`DATABASE_URL can't be used: ${error.message}.`) : error;
  });
}

/** Opens a database to load rows into, in any order, if the guard lets it. */
export function openToLoad({ database, dataDir }: Place, guard: Guard): Promise<Storage> {
  if (!database) return openSqlite(fileIn(dataDir), { guard, loads: true });
  return openPostgres({ ...database, guard });
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
