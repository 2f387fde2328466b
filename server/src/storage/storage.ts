import type { Kysely } from "kysely";
import type { Engine } from "./engine.ts";
import type { News } from "./news.ts";
import type { Schema } from "./schema.ts";

/** A connection to the tables, outside or inside a transaction, with what its engine does in its own way. */
export type Db = Kysely<Schema> & {
  readonly engine: Engine;
  /** Where a transaction has something happen that others wait for: they hear of it once it is committed. */
  readonly places: Set<string>;
  /** How many a transaction tells of something, by its name: counted for operators once it is committed. */
  readonly told: Map<string, number>;
};

/** The database behind its two doors. */
export interface Storage {
  /** Committed state, for reading only. */
  readonly read: Db;
  /**
   * Committed state that may be some moments old: a replica, where one is at hand that holds all up to `position`,
   * which is asked for if it matters. Otherwise as `read`.
   */
  recent(position: () => Promise<number>): Promise<Db>;
  /** The replicas, by host and port, and whether each is in use. */
  replicas(): { name: string; inUse: boolean }[];
  /**
   * Runs `work` in one transaction and resolves once its commit is durable; rolls back what it did if it
   * throws. `work` may await nothing but `tx`: others may be waiting for their turn.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  readonly news: News;
  /** Resolves if tables can be read and the last writes could be kept; throws, `Overloaded` as a rule, if not. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** Storage can't do it now, and may soon: too many writes wait, the disk fails or is full, others hold a lock. */
export class Overloaded extends Error {}
