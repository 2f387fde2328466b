import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";

/** A connection to the tables, outside or inside a transaction, with what its engine does in its own way. */
export type Db = Kysely<Schema> & { readonly engine: Engine };

/** The database behind its two doors. */
export interface Storage {
  /** Committed state, for reading only. */
  readonly read: Db;
  /**
   * Runs `work` in one transaction and resolves once its commit is durable; rolls back what it did if it
   * throws. `work` may await nothing but `tx`: others may be waiting for their turn.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** More writes are waiting than can be done in good time. */
export class Overloaded extends Error {}
