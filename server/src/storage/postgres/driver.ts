import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { Pool, PoolClient, QueryConfig } from "pg";
import { Overloaded } from "../storage.ts";
import { asOurs } from "./errors.ts";
import type { Names } from "./names.ts";

/** Where connections come from: a pool for reading, or the one connection of a transaction. */
export interface Source {
  connect(): Promise<Client>;
  /** `broken` is a connection over which the database was found to be away: nobody is lent it again. */
  release(client: Client, broken: boolean): void;
}

type Client = Pick<PoolClient, "query">;

/** Kysely over node-postgres, with every statement prepared under a name of its own where that may be. */
export function postgresDialect(source: Source, names: Names | null): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => driver(source, names),
  };
}

/**
 * Kysely's own lock against two who migrate at once belongs to the session. A pooler lends the session to others between
 * two transactions, and the lock with it; so the transaction takes one that is its own.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

const LOCKED_BEGIN = "begin; select pg_advisory_xact_lock(hashtextextended('tandem migration', 0))";

export function fromPool(pool: Pool): Source {
  return {
    connect: () => pool.connect(),
    release: (client, broken) => (client as PoolClient).release(broken),
  };
}

/** Asks the first, and the other where that fails for whatever reason. */
export function fromEither(first: Pool, other: Pool): Source {
  const query = (config: QueryConfig) => first.query(config).catch(() => other.query(config));
  return { connect: async () => ({ query }) as Client, release: () => {} };
}

export function fromClient(client: PoolClient): Source {
  return { connect: async () => client, release: () => {} };
}

function driver(source: Source, names: Names | null): Driver {
  const run = (statement: string) => async (connection: DatabaseConnection) =>
    void (await connection.executeQuery(CompiledQuery.raw(statement)));
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(await source.connect(), names),
    // Migrations alone begin one this way: the storage's writes have a connection of their own.
    beginTransaction: run(LOCKED_BEGIN),
    commitTransaction: run("commit"),
    rollbackTransaction: run("rollback"),
    releaseConnection: async (connection) => {
      const { client, broken } = connection as Connection;
      source.release(client, broken);
    },
    destroy: async () => {},
  };
}

class Connection implements DatabaseConnection {
  readonly client: Client;
  broken = false;
  readonly #names: Names | null;

  constructor(client: Client, names: Names | null) {
    this.client = client;
    this.#names = names;
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const config: QueryConfig = { text, values: [...parameters] };
    const name = parameters.length > 0 ? this.#names?.of(text) : undefined;
    if (name !== undefined) config.name = name;
    const { rows, rowCount } = await this.client.query(config).catch((error) => {
      const ours = asOurs(error);
      this.broken ||= ours instanceof Overloaded;
      throw ours;
    });
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  streamQuery(): never {
    throw new Error("answers are not streamed");
  }
}
