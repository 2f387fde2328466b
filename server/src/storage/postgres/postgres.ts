import { sql } from "kysely";
import { publishAfterCommit } from "../change-bus.ts";
import { type BeforeMigration, migrate } from "../migrate.ts";
import { SecretBox } from "../secrets.ts";
import { type Db, Overloaded, type Storage } from "../storage.ts";
import { PostgresChangeBus } from "./change-bus.ts";
import { asUnusableDatabase, messageOf, requireCompatible, UnusableDatabase } from "./compatibility.ts";
import { countCommits } from "./count-commits.ts";
import { type ConnectionProvider, fromEither, fromPool } from "./driver.ts";
import { kysely } from "./engine.ts";
import { connect, connectionsOf, openPool } from "./pool.ts";
import { type Log, Replica, Replicas } from "./replicas.ts";
import { sizesOf } from "./sizes.ts";
import { StatementNames } from "./statement-names.ts";
import { Transactions } from "./transaction.ts";

export interface PostgresOptions {
  url: string;
  /** URLs of streaming replicas. */
  replicas?: string[];
  /** Whether to use named prepared statements; PgBouncer before 1.21 doesn't support them. */
  prepares: boolean;
  /** The most connections. */
  connections: number;
  /** Milliseconds until a statement, or an idle transaction, times out; none by default. */
  timeout?: number;
  beforeMigration?: BeforeMigration;
  /** Logs which replicas are in use, and why others aren't. */
  log?: Log;
  /** Default: secrets are stored as they are. */
  secrets?: SecretBox;
}

/**
 * Opens the database and migrates it if needed. Throws `UnusableDatabase` if the server can't be used; if it becomes
 * unavailable later, reads and writes throw `Overloaded`.
 */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { url, replicas = [], prepares, connections, timeout, beforeMigration, log = () => {} } = options;
  const { secrets = new SecretBox([]) } = options;
  await prepare(url, secrets, beforeMigration);
  const pool = openPool({ url, connections, timeout });
  const names = prepares ? new StatementNames() : null;
  const dbOver = (source: ConnectionProvider) => kysely(source, names, secrets);
  const read = dbOver({ ...fromPool(pool), connect: () => connect(pool) });
  const transactions = new Transactions(pool, dbOver, timeout);
  const changes = new PostgresChangeBus(url, pool);
  const copies = new Replicas(
    url,
    replicas.map((one) => new Replica(one, connections, (copy) => dbOver(fromEither(copy, pool)))),
    log,
  );
  const close = async () => {
    await Promise.all([copies.close(), changes.close()]);
    await pool.end();
  };
  await copies.firstCheck().catch(async (error) => {
    await close();
    throw new UnusableDatabase(messageOf(error), "DATABASE_REPLICA_URL", { cause: error });
  });
  return {
    read,
    recent: async (position) => (await copies.atPosition(position)) ?? read,
    replicas: () => copies.states,
    write: (work) => publishAfterCommit(changes, (wrapped) => transactions.run(wrapped), work),
    beforeBatch() {},
    writeQueue: () => transactions.waiting,
    connections: () => [connectionsOf(url, pool), ...copies.connections],
    sizes: sizesOf(read),
    version: () => null,
    // What a replica hasn't replayed yet must not be kept as current.
    askVersion: replicas.length > 0 ? async () => null : countCommits(read, { pool }),
    freshen: () => {},
    changes,
    ready: () => ready(read),
    close,
  };
}

/** Checks that the server is supported and migrates its schema, without a timeout. */
async function prepare(url: string, secrets: SecretBox, beforeMigration?: BeforeMigration): Promise<void> {
  const pool = openPool({ url, connections: 1 });
  try {
    await requireCompatible(pool);
    await migrate(kysely(fromPool(pool), null, secrets), beforeMigration);
  } catch (error) {
    throw asUnusableDatabase(error);
  } finally {
    await pool.end();
  }
}

/** Fails on a read-only database: it is a standby, or a former primary. */
async function ready(read: Db): Promise<void> {
  await read.selectFrom("users").select("id").limit(1).execute();
  const { rows } = await sql<{
    only: string;
  }>`select current_setting('transaction_read_only') as only`.execute(read);
  if (rows[0]?.only === "on") throw new Overloaded("The database is read-only");
}
