import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";
import { scratchDirectory } from "./scratch.ts";

/** Where tests find the file that theirs are copies of. */
const VARIABLE = "TANDEM_TEST_SQLITE";
const FILE = "tandem.db";

/** Vitest's global setup: one migrated database for the whole run, for to copy it is quicker than to migrate anew. */
export default async function setup(): Promise<() => Promise<void>> {
  const directory = await scratchDirectory("tandem-sqlite");
  const file = join(directory, FILE);
  await (await openSqlite(file)).close();
  process.env[VARIABLE] = file;
  return () => rm(directory, { recursive: true, force: true });
}

/** Puts a migrated database into an empty directory; outside of a run of tests nothing, so that whoever opens it migrates. */
export async function copyDatabase(directory: string): Promise<void> {
  const template = process.env[VARIABLE];
  if (template) await copyFile(template, join(directory, FILE));
}
