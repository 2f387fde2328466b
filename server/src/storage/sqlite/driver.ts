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
import { traceStatement } from "../trace-statement.ts";
import { asOverloaded } from "./errors.ts";

/** How many statements a connection keeps prepared. Each takes a few kilobytes. */
const STATEMENTS = 500;

/**
 * A Kysely dialect for one better-sqlite3 connection. Unlike Kysely's own, it keeps statements prepared and leaves
 * transactions to `writer.ts`, where many share a commit.
 */
export function sqliteDialect(connection: SqliteConnection): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createDriver: () => driver(connection),
  };
}

/** Converts an error of SQLite to the one that callers get. */
export type ConvertError = (error: unknown) => unknown;

/** SQLite's DDL is transactional, so that a failed migration is rolled back. Kysely assumes that it isn't. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

function driver(connection: SqliteConnection): Driver {
  const run = (statement: string) => async () =>
    void (await connection.executeQuery(CompiledQuery.raw(statement)));
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: run("begin immediate"),
    commitTransaction: run("commit"),
    // Some errors, such as a full disk, have ended the transaction already.
    rollbackTransaction: async () => {
      if (connection.inTransaction) await run("rollback")();
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  };
}

/** Runs statements on a better-sqlite3 connection, at once. */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Database;
  readonly #convert: ConvertError;
  readonly #begin: (() => void) | undefined;
  readonly #statements = new Lru<string, Statement>(STATEMENTS);

  /** @param begin called before each statement */
  constructor(database: Database, convert: ConvertError = asOverloaded, begin?: () => void) {
    this.#database = database;
    this.#convert = convert;
    this.#begin = begin;
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction;
  }

  executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return traceStatement("sqlite", sql, async () => this.#run<R>(sql, parameters));
  }

  #run<R>(text: string, parameters: readonly unknown[]): QueryResult<R> {
    try {
      this.#begin?.();
      const statement = this.#statements.get(text, () => this.#database.prepare(text));
      const bound = parameters.map(bindable);
      if (statement.reader) return { rows: statement.all(bound) as R[] };
      const { changes, lastInsertRowid } = statement.run(bound);
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw this.#convert(error);
    }
  }

  streamQuery(): never {
    throw new Error("Streaming isn't supported");
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === "boolean") return value ? 1 : 0;
  return value === undefined ? null : value;
}
