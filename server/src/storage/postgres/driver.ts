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
import type { QueryResult as PgResult, Pool, PoolClient, QueryConfig } from "pg";
import { Overloaded } from "../storage.ts";
import { traceStatement } from "../trace-statement.ts";
import { asOverloaded } from "./errors.ts";
import type { Pipeline } from "./pipeline.ts";
import type { StatementNames } from "./statement-names.ts";

/** Provides connections: from one or two pools for reads, or a transaction's only connection. */
export interface ConnectionProvider {
  connect(): Promise<Client>;
  /** A `broken` connection, over which the database was unavailable, is closed instead of reused. */
  release(client: Client, broken: boolean): void;
}

interface Client {
  query(config: QueryConfig): Promise<PgResult>;
}

/** A Kysely dialect for node-postgres that prepares each statement under its own name, unless `names` is null. */
export function postgresDialect(connections: ConnectionProvider, names: StatementNames | null): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => driver(connections, names),
  };
}

/**
 * Kysely's migration lock belongs to the session, which a pooler passes on to other clients between two transactions.
 * So it is disabled here, and LOCKED_BEGIN takes a lock that belongs to the transaction.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Begins a transaction that changes the schema: one at a time. */
export const LOCKED_BEGIN = "begin; select pg_advisory_xact_lock(hashtextextended('tandem migration', 0))";

export function fromPool(pool: Pool): ConnectionProvider {
  return {
    connect: () => pool.connect(),
    release: (client, broken) => (client as PoolClient).release(broken),
  };
}

/** Queries the first pool, and the other if that fails for any reason. */
export function fromEither(first: Pool, other: Pool): ConnectionProvider {
  const query = (config: QueryConfig) => first.query(config).catch(() => other.query(config));
  return { connect: async () => ({ query }), release: () => {} };
}

export function fromClient(client: PoolClient): ConnectionProvider {
  return { connect: async () => client, release: () => {} };
}

export function fromPipeline(pipeline: Pipeline): ConnectionProvider {
  return { connect: async () => pipeline, release: () => {} };
}

/** Statements resolve at once, without rows, and are sent with the pipeline's next one. */
export function deferredIn(pipeline: Pipeline): ConnectionProvider {
  const query = async (config: QueryConfig) => {
    pipeline.defer(config);
    return { ...nothing };
  };
  return { connect: async () => ({ query }), release: () => {} };
}

const nothing: PgResult = { rows: [], rowCount: 0, command: "", oid: 0, fields: [] };

function driver(connections: ConnectionProvider, names: StatementNames | null): Driver {
  const run = (statement: string) => async (connection: DatabaseConnection) =>
    void (await connection.executeQuery(CompiledQuery.raw(statement)));
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(await connections.connect(), names),
    // Only migrations start transactions through Kysely; the storage's writes use `Transactions`.
    beginTransaction: run(LOCKED_BEGIN),
    commitTransaction: run("commit"),
    rollbackTransaction: run("rollback"),
    releaseConnection: async (connection) => {
      const { client, broken } = connection as Connection;
      connections.release(client, broken);
    },
    destroy: async () => {},
  };
}

class Connection implements DatabaseConnection {
  readonly client: Client;
  broken = false;
  readonly #names: StatementNames | null;

  constructor(client: Client, names: StatementNames | null) {
    this.client = client;
    this.#names = names;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return traceStatement("postgresql", query.sql, () => this.#execute<R>(query));
  }

  async #execute<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const config: QueryConfig = { text, values: [...parameters] };
    const name = parameters.length > 0 ? this.#names?.of(text) : undefined;
    if (name !== undefined) config.name = name;
    const { rows, rowCount } = await this.client.query(config).catch((error) => {
      const converted = asOverloaded(error);
      this.broken ||= converted instanceof Overloaded;
      throw converted;
    });
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  streamQuery(): never {
    throw new Error("Streaming isn't supported");
  }
}
