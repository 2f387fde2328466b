import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Db } from "./storage.ts";

export interface IndexedText {
  id: number;
  folded: string;
}

/** A table of folded texts with an index that finds those containing given words anywhere. */
export interface TextIndex {
  /** The table, and its id column; the text is in its column `folded`. */
  readonly texts: { readonly table: string; readonly id: string };
  /** Inserts or replaces the text of an id. */
  put(tx: Db, id: number, folded: string): Promise<void>;
  /** Inserts texts of ids that have none yet. Cheaper than many calls of `put`. */
  add(tx: Db, texts: readonly IndexedText[]): Promise<void>;
  /** Deletes texts. `ids` is a query of one column. */
  remove(tx: Db, ids: Expression<number>): Promise<void>;
  /** A condition: the text of that id contains every term. For rows found by other means. */
  holds(id: Expression<number>, terms: readonly string[]): RawBuilder<SqlBool>;
  /**
   * A query of one column `id` that returns a superset of the ids whose texts contain every term, in an order that the
   * engine can read descending without sorting. Null if the index can't narrow down the terms.
   */
  candidates(db: Db, terms: readonly string[], below: number): Promise<RawBuilder<{ id: number }> | null>;
  /** Those of these texts that the index has not at all, or with other words, and that are still as given. */
  unindexed(db: Db, texts: readonly IndexedText[]): Promise<number[]>;
  /** A query of one column: what the index has without a text. Null if the engine can't have that. */
  readonly strays: RawBuilder<number> | null;
}
