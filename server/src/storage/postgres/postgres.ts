import { sql } from "kysely";
import { publishAfterCommit } from "../change-bus.ts";
import { type Guard, migrate } from "../migrate.ts";
import { type Db, Overloaded, type Storage } from "../storage.ts";
import { PostgresChangeBus } from "./change-bus.ts";
import { fromEither, fromPool } from "./driver.ts";
import { kysely } from "./engine.ts";
import { asUnusable, messageOf, requireFit, Unusable } from "./fitness.ts";
import { Names } from "./names.ts";
import { connect, openPool } from "./pool.ts";
import { Replica, Replicas, type Tell } from "./replicas.ts";
import { Transactions } from "./transaction.ts";

export interface PostgresOptions {
  url: string;
  /** Streaming replicas. */
  replicas?: string[];
  /** Whether statements may be prepared under names; not through PgBouncer before 1.21. */
  prepares: boolean;
  /** Connections at most. */
  connections: number;
  /** Milliseconds that a statement may take, or a silence within a transaction; no end unless given. */
  timeout?: number;
  guard?: Guard;
  /** Told which replicas are read from, and why others are left out. */
  tell?: Tell;
}

/** Opens the database, migrating it as needed. A server that can't be used is `Unusable` here, and later `Overloaded`. */
export async function openPostgres(options: PostgresOptions): Promise<Storage> {
  const { url, replicas = [], prepares, connections, timeout, guard, tell = () => {} } = options;
  await prepare(url, guard);
  const pool = openPool({ url, connections, timeout });
  const names = prepares ? new Names() : null;
  const read = kysely({ ...fromPool(pool), connect: () => connect(pool) }, names);
  const transactions = new Transactions(pool, names, timeout);
  const changes = new PostgresChangeBus(url, pool);
  const copies = new Replicas(
    url,
    replicas.map((one) => new Replica(one, connections, (copy) => kysely(fromEither(copy, pool), names))),
    tell,
  );
  const close = async () => {
    await Promise.all([copies.close(), changes.close()]);
    await pool.end();
  };
  await copies.begun().catch(async (error) => {
    await close();
    throw new Unusable(messageOf(error), "DATABASE_REPLICA_URL", { cause: error });
  });
  return {
    read,
    recent: async (position) => (await copies.holding(position)) ?? read,
    replicas: () => copies.states,
    write: (work) => publishAfterCommit(changes, (noted) => transactions.run(noted), work),
    changes,
    ready: () => ready(read),
    close,
  };
}

/** Makes sure that the server can be lived with, and brings the tables forward, however long that takes. */
async function prepare(url: string, guard?: Guard): Promise<void> {
  const pool = openPool({ url, connections: 1 });
  try {
    await requireFit(pool);
    await migrate(kysely(fromPool(pool), null), guard);
  } catch (error) {
    throw asUnusable(error);
  } finally {
    await pool.end();
  }
}

/** A database that only reads is a standby, or was a primary until a moment ago. */
async function ready(read: Db): Promise<void> {
  await read.selectFrom("users").select("id").limit(1).execute();
  const { rows } = await sql<{
    only: string;
  }>`select current_setting('transaction_read_only') as only`.execute(read);
  if (rows[0]?.only === "on") throw new Overloaded("the database only reads");
}
