import { join } from "node:path";
import { type Config, ConfigError } from "../config.ts";
import { Unusable } from "./postgres/fitness.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Storage } from "./storage.ts";

/** Opens the database that the settings name: PostgreSQL where there is a URL of one, and else a file of ours. */
export function openStorage({ database, dataDir }: Pick<Config, "database" | "dataDir">): Promise<Storage> {
  if (!database) return openSqlite(join(dataDir, "tandem.db"));
  return openPostgres(database).catch((error) => {
    throw error instanceof Unusable
      ? new ConfigError(`DATABASE_URL can't be used: ${error.message}.`)
      : error;
  });
}
