import type { Db } from "./storage.ts";

/** Reads and changes an engine's own metadata, for work on all tables. */
export interface Catalog {
  has(db: Db, table: string): Promise<boolean>;
  /** All tables except the engine's own and those behind a search index. */
  tables(db: Db): Promise<Table[]>;
  /** What there is: tables with their columns, indexes and triggers that are on. */
  objects(db: Db): Promise<SchemaObject[]>;
  /** What there must be, given what the migrations create on SQLite. */
  expected(onSqlite: readonly SchemaObject[]): readonly SchemaObject[];
  /** The last id assigned in each table. A table that never assigned one may be missing. */
  lastIds(db: Db): Promise<Map<string, number>>;
  /** Makes the table continue after this id. */
  setLastId(tx: Db, table: string, id: number): Promise<void>;
  /** Indexes and foreign keys to drop during a bulk load: they slow it down or require an order of rows. */
  deferredObjects(db: Db): Promise<DeferredObject[]>;
  /** Rows that reference missing rows, unless recreating the foreign keys already checks that. */
  brokenReferences(db: Db): Promise<BrokenReference[]>;
  /** What is damaged in the database file, one sentence each. Empty on PostgreSQL, where reading a damaged page fails. */
  damages(db: Db): Promise<string[]>;
  /** Updates the planner's statistics, after a bulk load or an upgrade. */
  analyze(tx: Db): Promise<void>;
  /** Identifies the database: equal for two connections to the same one, whatever their URLs say. */
  identity(db: Db): Promise<string>;
}

/** A foreign key that rows of a table break. */
export interface BrokenReference {
  table: string;
  /** The table that it references. */
  parent: string;
  /** How many rows break it. */
  rows: number;
  /** What identifies a few of them, such as "post_id 3, user_id 7". */
  examples: string[];
}

export interface Table {
  name: string;
  columns: string[];
  /** Columns of the primary key, in its order. */
  key: string[];
}

export interface SchemaObject {
  kind: "table" | "column" | "index" | "search index" | "trigger";
  /** Of a column: with its table's. */
  name: string;
  /** The statement that creates it; null if none is known. */
  create: string | null;
}

/** An index or a foreign key, as the statements that drop and recreate it. */
export interface DeferredObject {
  drop: string;
  create: string;
}
