import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { startPgBouncer } from "@tandem/testing/pgbouncer";
import { queryPostgres } from "@tandem/testing/postgres-query";
import { type PostgresServer, startPostgres } from "@tandem/testing/postgres-server";
import { startReplica } from "@tandem/testing/replica";
import { temporaryDirectory } from "@tandem/testing/storage";

/** A database setup to measure a service on. */
export interface Environment extends AsyncDisposable {
  name: string;
  /** Settings of the service. */
  env: Record<string, string>;
  /** Process ids, by label, whose CPU time is measured in addition to the service's. */
  processes: Record<string, number>;
  /** Bytes written to PostgreSQL's write-ahead log so far; 0 where it isn't measured. */
  walBytes(): Promise<number>;
}

/** Starters of all setups. Dispose of one before you start the next. */
export const environments: (() => Promise<Environment>)[] = [
  onSqlite,
  onPostgres,
  withReplica,
  throughPgBouncer,
];

async function onSqlite(): Promise<Environment> {
  const directory = await temporaryDirectory();
  return {
    name: "SQLite",
    env: { DATA_DIR: directory.path },
    processes: {},
    walBytes: async () => 0,
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

async function onPostgres(): Promise<Environment> {
  const server = await startPostgres({ flags: ["-c", "fsync=on"] });
  const directory = await temporaryDirectory();
  return {
    name: "PostgreSQL",
    env: { DATABASE_URL: urlOf(server), DATA_DIR: directory.path },
    processes: { database: await pidOf(server) },
    async walBytes() {
      const [row] = await queryPostgres<{ bytes: string }>(
        urlOf(server),
        "select pg_current_wal_lsn() - '0/0' as bytes",
      );
      return Number(row?.bytes);
    },
    async [Symbol.asyncDispose]() {
      for (const one of [server, directory]) await one[Symbol.asyncDispose]();
    },
  };
}

async function withReplica(): Promise<Environment> {
  const primary = await startPostgres({ flags: ["-c", "fsync=on"] });
  const replica = await startReplica(primary);
  return {
    name: "PostgreSQL with a replica",
    env: { DATABASE_URL: urlOf(primary), DATABASE_REPLICA_URL: urlOf(replica) },
    processes: { primary: await pidOf(primary), replica: await pidOf(replica) },
    walBytes: async () => 0,
    async [Symbol.asyncDispose]() {
      for (const server of [replica, primary]) await server[Symbol.asyncDispose]();
    },
  };
}

async function throughPgBouncer(): Promise<Environment> {
  const server = await startPostgres({ flags: ["-c", "fsync=on"] });
  const bouncer = await startPgBouncer(urlOf(server), 10);
  return {
    name: "PostgreSQL through PgBouncer, without prepared statements",
    env: { DATABASE_URL: bouncer.url, DATABASE_PREPARES: "0" },
    processes: { database: await pidOf(server), pgbouncer: bouncer.pid },
    walBytes: async () => 0,
    async [Symbol.asyncDispose]() {
      for (const one of [bouncer, server]) await one[Symbol.asyncDispose]();
    },
  };
}

function urlOf(server: PostgresServer): string {
  return `${server.url}/postgres`;
}

async function pidOf({ dataDir }: PostgresServer): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postmaster.pid"), "utf8"), 10);
}
