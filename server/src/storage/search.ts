import type { Expression, RawBuilder, SqlBool } from "kysely";
import type { Db } from "./storage.ts";

/** A table of folded texts, and an index over it that finds those holding given words anywhere. */
export interface TextIndex {
  /** The table of texts, and its two columns. */
  readonly texts: { readonly table: string; readonly id: string };
  /** Adds the text of that id, or replaces it. */
  put(tx: Db, id: number, folded: string): Promise<void>;
  /** Adds texts of ids that have none yet: cheaper than `put` where there are many. */
  add(tx: Db, texts: readonly { id: number; folded: string }[]): Promise<void>;
  /** `ids` is a query of one column. */
  remove(tx: Db, ids: Expression<number>): Promise<void>;
  /** True where the text of that id holds every term. For use on rows found by other means. */
  holds(id: Expression<number>, terms: readonly string[]): RawBuilder<SqlBool>;
  /**
   * Ids whose texts may hold every term, as a table with one column `id`, which the engine can read in
   * falling order without sorting; null where the index can't narrow the terms down.
   */
  candidates(db: Db, terms: readonly string[], below: number): Promise<RawBuilder<{ id: number }> | null>;
}
