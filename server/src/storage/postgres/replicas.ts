import type { Pool } from "pg";
import type { Db, ServerConnections } from "../storage.ts";
import { codeOf } from "./errors.ts";
import { connectionsOf, openPool } from "./pool.ts";

/** Milliseconds between two checks of the replicas. */
const CHECK_INTERVAL = 200;
/** Milliseconds between two queries of the primary's position. */
const PRIMARY_INTERVAL = 1000;
/** Milliseconds until a check times out. */
const CHECK_TIMEOUT = 1000;
/** Milliseconds until a read from a replica times out; it then goes to the primary. */
const READ_TIMEOUT = 3000;
/** A replica with more lag, in milliseconds, isn't used until it has caught up. */
const MAX_LAG = 5000;

/** Identifies a database's history: its cluster, and the timeline that it branched off to last. */
interface History {
  system: string;
  timeline: number;
}

/** The primary's position in its write-ahead log at a point in time. */
interface PrimaryPosition extends History {
  lsn: number;
  at: number;
}

/** What a replica reports about itself. */
interface ReplicaState extends History {
  following: boolean;
  /** All transactions with a lower id have ended, and are visible here if they were committed. */
  horizon: number;
  /** The position up to which it has replayed the primary's write-ahead log. */
  lsn: number;
}

const PRIMARY_QUERY = `select pg_current_wal_lsn() - '0/0' as lsn,
  cast((pg_control_system()).system_identifier as text) as system,
  cast(cast('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as bit(32)) as integer) as timeline`;

const REPLICA_QUERY = `select pg_is_in_recovery() as following, pg_last_wal_replay_lsn() - '0/0' as lsn,
  cast((pg_control_system()).system_identifier as text) as system,
  (pg_control_checkpoint()).timeline_id as timeline,
  cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) as horizon`;

/** Logs one sentence for the administrator. */
export type Log = (sentence: string) => void;

/**
 * Monitors the replicas of a primary and distributes reads among them. A replica that is unreachable, lags too far
 * behind or doesn't follow this primary isn't used until it recovers. A read that fails on a replica is repeated on the
 * primary, so that replicas never cause an error for a caller.
 */
export class Replicas {
  readonly #primary: Pool;
  readonly #all: Replica[];
  readonly #positions: PrimaryPosition[] = [];
  readonly #log: Log;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<void>;
  #turn = 0;

  /** `url` is the primary's. */
  constructor(url: string, replicas: Replica[], log: Log) {
    this.#primary = openWatchPool(url);
    this.#all = replicas;
    this.#log = log;
    this.#checking = replicas.length > 0 ? this.#check() : Promise.resolve();
  }

  get states(): { name: string; inUse: boolean }[] {
    return this.#all.map(({ name, inUse }) => ({ name, inUse }));
  }

  get connections(): ServerConnections[] {
    return this.#all.map((replica) => replica.connections);
  }

  /** A usable replica that has replayed the position, round-robin; null if there is none. */
  async atPosition(position: () => Promise<number>): Promise<Db | null> {
    if (!this.#all.some(({ inUse }) => inUse)) return null;
    const needed = await position();
    const eligible = this.#all.filter((replica) => replica.inUse && replica.hasReached(needed));
    this.#turn += 1;
    return eligible[this.#turn % eligible.length]?.db ?? null;
  }

  /** Resolves when all have been checked once. Throws if one refused the connection permanently. */
  async firstCheck(): Promise<void> {
    await this.#checking;
    const refused = this.#all.map(({ error }) => error).find((error) => PERMANENT.test(codeOf(error)));
    if (refused) throw refused;
  }

  async close(): Promise<void> {
    await this.#checking;
    clearTimeout(this.#timer);
    await Promise.all([this.#primary.end(), ...this.#all.map((replica) => replica.close())]);
  }

  async #check(): Promise<void> {
    await Promise.all([this.#checkPrimary(), ...this.#all.map((replica) => replica.check())]);
    for (const replica of this.#all) replica.evaluate(this.#positions, this.#log);
    this.#timer = setTimeout(() => {
      this.#checking = this.#check();
    }, CHECK_INTERVAL).unref();
  }

  /** Ignores errors: while the primary is unreachable, nothing is written and replicas can't fall further behind. */
  async #checkPrimary(): Promise<void> {
    const at = performance.now();
    if (at - (this.#positions.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < PRIMARY_INTERVAL) return;
    const position = await queryRow<Omit<PrimaryPosition, "at">>(this.#primary, PRIMARY_QUERY).catch(
      () => null,
    );
    if (!position) return;
    this.#positions.push({ ...position, at });
    while ((this.#positions[0]?.at ?? at) < at - 2 * MAX_LAG) this.#positions.shift();
  }
}

/** One replica: its connections and its state at the last check. */
export class Replica {
  /** Its host and port. */
  readonly name: string;
  readonly db: Db;
  /** Why the last check failed; null if it didn't. */
  error: unknown = null;
  readonly #url: string;
  readonly #pool: Pool;
  readonly #watchPool: Pool;
  #state: ReplicaState | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** In milliseconds; infinite unless it is known to follow the primary. */
  #lag = Number.POSITIVE_INFINITY;
  #lastStatus: string | null = null;

  constructor(url: string, connections: number, dbOf: (pool: Pool) => Db) {
    this.name = new URL(url).host;
    this.#url = url;
    this.#pool = openPool({ url, connections, timeout: READ_TIMEOUT, connectTimeout: CHECK_TIMEOUT });
    this.#watchPool = openWatchPool(url);
    this.db = dbOf(this.#pool);
  }

  get connections(): ServerConnections {
    return connectionsOf(this.#url, this.#pool);
  }

  /** Whether a recent check found it to follow the primary without too much lag. */
  get inUse(): boolean {
    return this.#lag + performance.now() - this.#answeredAt < MAX_LAG;
  }

  hasReached(position: number): boolean {
    return position < (this.#state?.horizon ?? 0);
  }

  /** Queries its state, for {@link evaluate}. */
  async check(): Promise<void> {
    try {
      this.#state = await queryRow<ReplicaState>(this.#watchPool, REPLICA_QUERY);
      this.#answeredAt = performance.now();
      this.error = null;
    } catch (error) {
      this.#state = null;
      this.error = error;
    }
  }

  /** Decides whether it can be used, and logs if that has changed. */
  evaluate(positions: readonly PrimaryPosition[], log: Log): void {
    const latest = positions.at(-1);
    // The primary hasn't answered yet.
    if (!latest) return;
    const fault = this.#findFault(latest);
    const reached = positions.findLast(({ lsn }) => lsn <= (this.#state?.lsn ?? -1));
    this.#lag = fault === null && reached ? latest.at - reached.at : Number.POSITIVE_INFINITY;
    const status = fault ?? (this.inUse ? "in use" : "too far behind");
    if (status === this.#lastStatus) return;
    this.#lastStatus = status;
    log(`Replica ${this.name} is ${this.inUse ? "in use" : `not in use: ${status}`}.`);
  }

  /** Why it can't be used as a replica of the primary; null if it can. */
  #findFault(primary: PrimaryPosition): string | null {
    const state = this.#state;
    if (!state) return `it doesn't respond (${(this.error as Error | null)?.message})`;
    if (!state.following) return "it isn't a standby";
    if (state.system !== primary.system) return "it belongs to another cluster";
    if (state.timeline !== primary.timeline) return "it isn't on the primary's timeline yet";
    // It was further than the primary was later, so it has replayed another primary's log.
    if (state.lsn > primary.lsn && this.#answeredAt < primary.at) return "it is ahead of the primary";
    return null;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#watchPool.end()]);
  }
}

/** SQLSTATEs that retrying won't fix: no such user or database, or a wrong password. */
const PERMANENT = /^(28...|3D000)$/;

/** A separate connection for checks, so that slow reads don't delay them. */
function openWatchPool(url: string): Pool {
  return openPool({ url, connections: 1, timeout: CHECK_TIMEOUT, connectTimeout: CHECK_TIMEOUT });
}

/** Runs a query that returns one row. */
async function queryRow<Row extends object>(pool: Pool, text: string): Promise<Row> {
  const { rows } = await pool.query<Row>(text);
  return rows[0] as Row;
}
