import type { RawBuilder } from "kysely";
import type { Catalog } from "./catalog.ts";
import type { Schema } from "./schema.ts";
import type { TextIndex } from "./search.ts";
import type { Db } from "./storage.ts";

/** What an engine does in its own words. Nothing outside `storage/` asks which engine runs. */
export interface Engine {
  readonly name: "sqlite" | "postgres";
  /** Column types, and what ends a table that is read by its primary key alone. */
  readonly types: { readonly id: Raw; readonly integer: Raw; readonly real: Raw; readonly clustered: Raw };
  /** Whether rows that a transaction reads in order to change them must be locked; where writes take turns, not. */
  readonly rowLocks: boolean;
  /** Milliseconds since 1970 by the database's own clock, which all processes share. */
  readonly now: RawBuilder<number>;
  /** Has text compared byte by byte, so that what begins alike stands together. */
  readonly bytewise: Raw;
  /** Text as bytes, where the engine can hand them over without making a string of them first. */
  bytes(text: RawBuilder<string>): RawBuilder<string | Uint8Array>;
  /** These ids, as a query of one column `id`. The statement is the same however many they are. */
  oneOf(ids: readonly number[]): RawBuilder<{ id: number }>;
  /**
   * A JSON array of objects as a query with these columns, in the array's order. The statement is the same however
   * many they are.
   */
  rows(json: string, columns: Readonly<Record<string, "integer" | "text">>): RawBuilder<unknown>;
  /** Where a transaction that writes stands among all: what a replica must have come to in order to hold it. */
  readonly position: RawBuilder<number>;
  readonly catalog: Catalog;
  readonly postSearch: TextIndex;
  readonly creatorSearch: TextIndex;
  /** Creates what the migrations can't say for all engines alike: the indexes behind search. */
  createSearch(db: Db): Promise<void>;
  /** From now on rows of the table can be added, and neither changed nor taken out, by whomever. */
  forbidChanges(db: Db, table: string): Promise<void>;
  /**
   * Claims a name until the transaction ends; false where another transaction has it. Where writes take turns
   * nobody can.
   */
  claim(tx: Db, name: string): Promise<boolean>;
  /** The same for many names, but waits for whoever has them. */
  await(tx: Db, names: readonly string[]): Promise<void>;
  /**
   * Sets aside that many ids of a table and gives back the first: for bulk writes whose rows name one another.
   * Nobody else gets them, whether they are used or not.
   */
  reserveIds(tx: Db, table: NumberedTable, count: number): Promise<number>;
  /** The next ids of a table, rising, perhaps with gaps: others may draw theirs meanwhile. */
  drawIds(tx: Db, table: NumberedTable, count: number): Promise<number[]>;
}

/** Tables whose ids the engine counts. */
export type NumberedTable = {
  [Table in keyof Schema]: Schema[Table] extends { id: unknown } ? Table : never;
}[keyof Schema];

type Raw = RawBuilder<unknown>;
