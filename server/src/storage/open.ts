import { join } from "node:path";
import type { Config } from "../config.ts";
import { openPostgres } from "./postgres/postgres.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Storage } from "./storage.ts";

/** Opens the database that the settings name: PostgreSQL where there is a URL of one, and else a file of ours. */
export function openStorage({ database, dataDir }: Pick<Config, "database" | "dataDir">): Promise<Storage> {
  return database ? openPostgres(database) : openSqlite(join(dataDir, "tandem.db"));
}
