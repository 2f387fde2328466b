import type { RawBuilder } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Schema } from "./schema.ts";
import type { TextIndex } from "./search.ts";
import type { Db } from "./storage.ts";

/** A range of posts for each of some rows `f`, such as the posts of each creator that a reader follows. No post is in two. */
export interface DisjointRanges {
  /** The `from` clause of the rows, with its `where`. */
  rows: RawBuilder<unknown>;
  /** The columns of `f` on which a range depends. */
  keys: readonly string[];
  /** A query of the newest ids of the range of `f`, in order: below one of the ranges' ids, and from another on. */
  newest(
    limit: number,
    bounds?: { below?: RawBuilder<unknown>; from?: RawBuilder<unknown> },
  ): RawBuilder<unknown>;
}

export type ColumnTypes<Name extends string = string> = Readonly<Record<Name, "integer" | "text">>;

/** What differs between SQLite and PostgreSQL. Code outside `storage/` must not check which engine is in use. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Column types; `clustered` ends the definition of a table that is stored in primary key order, where supported. */
  readonly types: { readonly id: Raw; readonly integer: Raw; readonly real: Raw; readonly clustered: Raw };
  /** Whether a transaction must lock the rows that it reads in order to change them; false if there is one writer. */
  readonly rowLocks: boolean;
  /** Milliseconds since 1970 by the database's clock, which all processes share. */
  readonly now: RawBuilder<number>;
  /** A `collate` clause that compares text byte by byte, so that an index serves prefix searches. */
  readonly binaryCollation: Raw;
  /** Text as bytes if the engine can return it without decoding it to a string, otherwise as a string. */
  bytes(text: RawBuilder<string>): RawBuilder<string | Uint8Array>;
  /** A query that returns these ids in one column `id`. The SQL doesn't depend on their number. */
  oneOf(ids: readonly number[]): RawBuilder<{ id: number }>;
  /**
   * A query that returns a JSON array of objects as rows with these columns, in the array's order. The SQL doesn't
   * depend on their number.
   */
  jsonRows(json: string, columns: ColumnTypes): RawBuilder<unknown>;
  /** A query of the newest posts of all ranges, newest first, as `id`: at most this many. Null if the engine has no special one. */
  readonly newestOfDisjoint: ((ranges: DisjointRanges, wanted: number) => RawBuilder<{ id: number }>) | null;
  /**
   * The `from` clause of rows, each with the ids of posts that a query of its columns yields, as `found.id`. It includes a `where` on one
   * engine, so nothing but an order and a limit can follow.
   */
  withPostsOfEach(rows: RawBuilder<unknown>, ids: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A query that returns one row with these columns, whose values are bound as they are. */
  oneRow<Name extends string>(
    values: Readonly<Record<Name, unknown>>,
    columns: ColumnTypes<Name>,
  ): RawBuilder<unknown>;
  /** The position of the current transaction: a replica that has replayed up to it shows its writes. */
  readonly position: RawBuilder<number>;
  /**
   * Whether every transaction that has taken a position below this one has ended, and what it wrote is visible. Positions come from
   * {@link position}, but may be those of another server that the database was copied from.
   */
  haveEnded(db: Db, position: number): Promise<boolean>;
  readonly catalog: Catalog;
  readonly postSearch: TextIndex;
  readonly creatorSearch: TextIndex;
  /** Creates the search indexes, which migrations can't express for both engines. */
  createSearch(db: Db): Promise<void>;
  /** Makes a table append-only: updates and deletes fail from now on. */
  forbidChanges(db: Db, table: string): Promise<void>;
  /**
   * Takes a named lock until the transaction ends; false if another transaction holds it. Always true on SQLite, which
   * has one writer.
   */
  tryLock(tx: Db, name: string): Promise<boolean>;
  /** Takes many named locks until the transaction ends, waiting for their holders. */
  lock(tx: Db, names: readonly string[]): Promise<void>;
  /**
   * Reserves that many consecutive ids of a table and returns the first, for bulk inserts whose rows reference one
   * another. No other transaction gets these ids, even if they stay unused.
   */
  reserveIds(tx: Db, table: NumberedTable, count: number): Promise<number>;
  /** The next ids of a table, ascending. There can be gaps, because others may take ids at the same time. */
  nextIds(tx: Db, table: NumberedTable, count: number): Promise<number[]>;
}

/** Tables with an auto-incremented id. */
export type NumberedTable = {
  [Table in keyof Schema]: Schema[Table] extends { id: unknown } ? Table : never;
}[keyof Schema];

type Raw = RawBuilder<unknown>;
