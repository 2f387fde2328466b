import type { Db } from "./storage.ts";

/** What an engine knows of its own tables: for work on all of them, whichever they are. */
export interface Catalog {
  has(db: Db, table: string): Promise<boolean>;
  /** Every table, but those that the engine keeps for itself or behind a search index. */
  tables(db: Db): Promise<Table[]>;
  /** The last id that each table gave out; a table that gave none may be missing. */
  lastIds(db: Db): Promise<Map<string, number>>;
  /** Makes the table give ids after this one. */
  setLastId(tx: Db, table: string, id: number): Promise<void>;
  /** What makes it slow to load rows, or demands an order of them, and can be had again once they are in. */
  burdens(db: Db): Promise<Burden[]>;
  /** Tables with rows that name others which aren't there, though a burden's return should have found them. */
  dangling(db: Db): Promise<string[]>;
  /** Prepares plans for tables that have just been loaded. */
  settle(tx: Db): Promise<void>;
  /** The same for two connections that reach one database, however they were told of it; else different. */
  place(db: Db): Promise<string>;
}

export interface Table {
  name: string;
  columns: string[];
  /** Columns of the primary key, in its order. */
  key: string[];
}

/** An index or a foreign key, as the statements that take it away and bring it back. */
export interface Burden {
  drop: string;
  create: string;
}
