import type { Database, Statement } from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { Lru } from "../lru.ts";
import { asFault } from "./faults.ts";

/** How many statements a connection keeps prepared; each takes some kilobytes. */
const STATEMENTS = 500;

/**
 * Kysely over one better-sqlite3 connection. Unlike Kysely's own dialect it keeps statements prepared, and it
 * leaves transactions to `writer.ts`, which lets many of them share a commit.
 */
export function sqliteDialect(database: Database): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => driver(new Connection(database)),
  };
}

/** SQLite rolls back changed tables as it does changed rows: a migration that fails leaves no trace. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function driver(connection: Connection): Driver {
  const run = (statement: string) => async () =>
    void (await connection.executeQuery(CompiledQuery.raw(statement)));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: run("begin immediate"),
    commitTransaction: run("commit"),
    rollbackTransaction: run("rollback"),
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

class Connection implements DatabaseConnection {
  readonly #database: Database;
  readonly #statements = new Lru<string, Statement>(STATEMENTS);

  constructor(database: Database) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return this.#execute(query);
    } catch (error) {
      throw asFault(error);
    }
  }

  #execute<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#statements.get(query.sql, () => this.#database.prepare(query.sql));
    const parameters = query.parameters.map(bindable);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  streamQuery(): never {
    throw new Error("answers are not streamed");
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined ? null : value;
}
