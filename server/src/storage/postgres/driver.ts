import { createHash } from "node:crypto";
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
import { asOurs } from "./errors.ts";

/** Where connections come from: a pool for reading, or the one connection of a transaction. */
export interface Source {
  connect(): Promise<PoolClient>;
  release(client: PoolClient): void;
}

/** Kysely over node-postgres, with every statement prepared under a name of its own where that may be. */
export function postgresDialect(source: Source, named: boolean): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => driver(source, named),
  };
}

export function fromPool(pool: Pool): Source {
  return { connect: () => pool.connect(), release: (client) => client.release() };
}

export function fromClient(client: PoolClient): Source {
  return { connect: async () => client, release: () => {} };
}

function driver(source: Source, named: boolean): Driver {
  const run = (statement: string) => async (connection: DatabaseConnection) =>
    void (await connection.executeQuery(CompiledQuery.raw(statement)));
  return {
    init: async () => {},
    acquireConnection: async () => new Connection(await source.connect(), named),
    beginTransaction: run("begin"),
    commitTransaction: run("commit"),
    rollbackTransaction: run("rollback"),
    releaseConnection: async (connection) => source.release((connection as Connection).client),
    destroy: async () => {},
  };
}

class Connection implements DatabaseConnection {
  readonly client: PoolClient;
  readonly #named: boolean;

  constructor(client: PoolClient, named: boolean) {
    this.client = client;
    this.#named = named;
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const config: QueryConfig = { text, values: [...parameters] };
    if (this.#named && parameters.length > 0) config.name = nameOf(text);
    const { rows, rowCount } = await this.client.query(config).catch((error) => {
      throw asOurs(error);
    });
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  streamQuery(): never {
    throw new Error("answers are not streamed");
  }
}

const names = new Map<string, string>();

/** The same name for the same text, in every process. */
function nameOf(text: string): string {
  const known = names.get(text);
  if (known) return known;
  const name = createHash("sha1").update(text).digest("base64url");
  names.set(text, name);
  return name;
}
