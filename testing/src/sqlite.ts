import { constants, copyFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";
import Database from "better-sqlite3";
import { scratchDirectory } from "./scratch.ts";

/** Environment variable with the path of the migrated template. */
const VARIABLE = "TANDEM_TEST_SQLITE";
const FILE = "tandem.db";

/** Prepares a run: migrates one database per run, because copying it is faster than migrating each time. */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await scratchDirectory("tandem-sqlite");
  const file = join(directory, FILE);
  await (await openSqlite(file)).close();
  process.env[VARIABLE] = file;
  return () => rm(directory, { recursive: true, force: true });
}

/**
 * Copies the migrated database into a directory, which may be missing, unless there is one already. Outside of a test run it does
 * nothing, so that opening migrates.
 */
export async function copyDatabase(directory: string): Promise<void> {
  const template = process.env[VARIABLE];
  if (!template) return;
  await mkdir(directory, { recursive: true });
  await copyFile(template, join(directory, FILE), constants.COPYFILE_EXCL).catch((error) => {
    if (error.code !== "EEXIST") throw error;
  });
}

/** Makes the database in the second directory equal to that in the first. A service that has it open sees this as another process's write. */
export async function overwriteDatabase(from: string, to: string): Promise<void> {
  const database = new Database(join(from, FILE), { readonly: true });
  await database.backup(join(to, FILE)).finally(() => database.close());
}
