import type { CompiledQuery, Kysely } from "kysely";
import type { ChangeBus } from "./change-bus.ts";
import type { Engine } from "./engine.ts";
import type { Schema } from "./schema.ts";
import type { SecretBox } from "./secrets.ts";

/** A database connection, inside or outside a transaction, with its engine-specific functions. */
export type Db = Kysely<Schema> & {
  readonly engine: Engine;
  /** Channels to publish once this transaction has committed. */
  readonly channels: Set<string>;
  /** Counts by name, added to the metrics once this transaction has committed. */
  readonly counters: Map<string, number>;
  /** Encrypts and decrypts the columns in `secretColumns`. */
  readonly secrets: SecretBox;
  /**
   * The same transaction, for statements whose result isn't needed. They return no rows, and may be sent only with the next
   * statement or the commit, which saves round trips. If one fails, so does the transaction.
   */
  readonly later: Db;
  /** Runs a compiled query, and skips what Kysely would do around it. */
  readonly rows: RunQuery;
};

export type RunQuery = <Row>(query: CompiledQuery<Row>) => Promise<Row[]>;

/** A connection that sends every statement at once. */
export function dbOf(kysely: Kysely<Schema>, engine: Engine, secrets: SecretBox, run?: RunQuery): Db {
  const rows: RunQuery = run ?? (async (query) => (await kysely.executeQuery(query)).rows);
  const own = { engine, secrets, rows, channels: new Set<string>(), counters: new Map<string, number>() };
  return Object.assign(kysely, own, { later: kysely as Db });
}

export interface ServerConnections {
  /** Its host and port. */
  server: string;
  used: number;
  idle: number;
  /** How many transactions and reads wait for a connection. */
  waiting: number;
}

/** In bytes; null if it can't be told. */
export interface DatabaseSizes {
  database: number | null;
  /** The write-ahead log. */
  log: number | null;
}

/** The database. */
export interface Storage {
  /** Committed state, for reading only. */
  readonly read: Db;
  /**
   * Committed state that may lag behind: a replica that has replayed everything up to `position`, if there is one;
   * otherwise the same as `read`. `position` is only called if there are replicas.
   */
  recent(position: () => Promise<number>): Promise<Db>;
  /** Replicas by host and port, and whether each is in use. */
  replicas(): { name: string; inUse: boolean }[];
  /**
   * Runs `work` in one transaction and resolves once the commit is durable; rolls back if it throws. `work` must await
   * nothing but `tx`, because other writes may be waiting.
   */
  write<T>(work: (tx: Db) => Promise<T>): Promise<T>;
  /** Sets what is called before each batch of writes that blocks this thread. None does if a server of the database performs them. */
  beforeBatch(run: () => void): void;
  /** Writes of this process that wait for their turn, and the milliseconds that the oldest has waited; 0 if none does. */
  writeQueue(): { length: number; age: number };
  /** This process's connections to each server of the database; none if it has no server. */
  connections(): ServerConnections[];
  /** What the database takes on disk; reading it costs little, however large it is. */
  sizes(): Promise<DatabaseSizes>;
  /** A number that grows with each commit, of any process; null if only a server of the database can tell. */
  version(): number | null;
  /**
   * The same, from the server where there is one: it has grown with each commit that was acknowledged before the call. Null if the server
   * doesn't answer in time, or if reads may lag behind it. Never throws because of a server.
   */
  askVersion(): Promise<number | null>;
  /** Call when a request arrives: its reads then see everything that any process acknowledged before. */
  freshen(): void;
  readonly changes: ChangeBus;
  /** Resolves if reading works and the last writes succeeded; otherwise throws, usually `Overloaded`. */
  ready(): Promise<void>;
  close(): Promise<void>;
}

/** A temporary failure: too many writes are waiting, the disk is full or failing, or another process holds a lock. */
export class Overloaded extends Error {
  /** Whether it passes by itself, so that deferred work can wait for it without counting an attempt. */
  readonly isTransient: boolean = true;
}

/** The database can't be written until an administrator acts. */
export class DatabaseUnusable extends Overloaded {
  /** For logs and probes. */
  readonly reason: UnusableReason;
  /** What an administrator can do, in sentences. */
  readonly advice: string;

  constructor(reason: UnusableReason, message: string, advice: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
    this.advice = advice;
  }
}

export type UnusableReason = "database_file_missing" | "database_file_replaced" | "database_damaged";
