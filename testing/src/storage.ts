import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openSqlite } from "@tandem/server/storage/sqlite/sqlite";
import type { Storage } from "@tandem/server/storage/storage";
import { scratchDirectory } from "./scratch.ts";
import { copyDatabase } from "./sqlite.ts";

/** A temporary directory; `await using` removes it. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string }> {
  const path = await scratchDirectory("tandem");
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** A SQLite storage without a service; `await using` closes and removes it. */
export async function openStorage(): Promise<Storage & AsyncDisposable> {
  const directory = await temporaryDirectory();
  await copyDatabase(directory.path);
  const storage = await openSqlite(join(directory.path, "tandem.db"));
  return {
    ...storage,
    async [Symbol.asyncDispose]() {
      await storage.close();
      await directory[Symbol.asyncDispose]();
    },
  };
}
