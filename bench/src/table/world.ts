import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { seed } from "@tandem/server/cli/seed/seed";
import { readConfig } from "@tandem/server/config";
import { latestSchema } from "@tandem/server/storage/migrate";
import { openStorage } from "@tandem/server/storage/open";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { startPostgres } from "@tandem/testing/postgres-server";

const execute = promisify(execFile);

export type Engine = "sqlite" | "postgres";

/** A database with demo data to measure a service on. `await using` removes it. */
export interface World extends AsyncDisposable {
  engine: Engine;
  posts: number;
  /** On the disk, even where temporary files are in memory: commits are to cost what they cost in operation. */
  directory: string;
  /** Settings of the service. */
  env: { DATA_DIR: string; DATABASE_URL: string };
  /** The database's process, if it has one. */
  database: { pid: number; said(): string } | null;
}

/** Demo data is kept here between runs, for each schema. On Linux that is a disk; `/tmp` may be memory. */
const kept = join(process.platform === "linux" ? "/var/tmp" : tmpdir(), "tandem-bench");

/** A copy of the demo data with that many posts, which are created if they aren't kept for the current schema. */
export async function openWorld(engine: Engine, posts: number): Promise<World> {
  const original = await originalOf(engine, posts);
  const directory = await mkdtemp(join(kept, "run-"));
  // PostgreSQL runs as another user.
  await execute("chmod", ["755", directory]);
  const copy = join(directory, "database");
  await execute("cp", ["-a", original, copy]);
  const dispose = () => rm(directory, { recursive: true, force: true });
  if (engine === "sqlite") {
    const env = { DATA_DIR: copy, DATABASE_URL: "" };
    return { engine, posts, directory, env, database: null, [Symbol.asyncDispose]: dispose };
  }
  const server = await startPostgres({ dataDir: copy, flags: ["-c", "fsync=on"] });
  const pid = Number.parseInt(await readFile(join(copy, "postmaster.pid"), "utf8"), 10);
  return {
    engine,
    posts,
    directory,
    env: { DATA_DIR: join(directory, "data"), DATABASE_URL: `${server.url}/postgres` },
    database: { pid, said: server.said },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dispose();
    },
  };
}

async function originalOf(engine: Engine, posts: number): Promise<string> {
  const stem = `${engine}-${posts}-`;
  const path = join(kept, stem + latestSchema);
  if (existsSync(path)) return path;
  await mkdir(kept, { recursive: true });
  for (const name of await readdir(kept))
    if (name.startsWith(stem)) await rm(join(kept, name), { recursive: true });
  const unfinished = `${path}.unfinished`;
  console.error(`Creating ${posts} posts, once for this schema (kept in ${path})`);
  await (engine === "sqlite" ? createSqlite : createPostgres)(unfinished, posts);
  await rename(unfinished, path);
  return path;
}

async function createSqlite(directory: string, posts: number): Promise<void> {
  await mkdir(directory);
  await fill({ DATA_DIR: directory }, posts);
}

async function createPostgres(directory: string, posts: number): Promise<void> {
  await using server = await startPostgres();
  const url = `${server.url}/postgres`;
  await fill({ DATABASE_URL: url, DATA_DIR: server.dataDir }, posts);
  await queryPostgres(url, "vacuum analyze");
  await queryPostgres(url, "checkpoint");
  await server.kill();
  await execute("cp", ["-a", server.dataDir, directory]);
  await rm(join(directory, "postmaster.pid"), { force: true });
}

async function fill(env: Record<string, string>, posts: number): Promise<void> {
  const storage = await openStorage(readConfig(env));
  await seed(storage, { posts });
  await storage.close();
}
