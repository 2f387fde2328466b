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
  readonly #statements = new Map<string, Statement>();

  constructor(database: Database) {
    this.#database = database;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const statement = this.#prepare(query.sql);
    const parameters = query.parameters.map(bindable);
    if (statement.reader) return { rows: statement.all(parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  }

  /** Builders make a bounded number of texts; should one ever not, the oldest statements go. */
  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    const oldest = this.#statements.keys().next();
    if (this.#statements.size > 1000 && !oldest.done) this.#statements.delete(oldest.value);
    return statement;
  }

  streamQuery(): never {
    throw new Error("answers are not streamed");
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined ? null : value;
}
