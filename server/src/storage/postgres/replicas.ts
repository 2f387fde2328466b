import type { Pool } from "pg";
import type { Db } from "../storage.ts";
import { openPool } from "./pool.ts";

/** How often the replicas are looked at, in milliseconds. */
const EVERY = 200;
/** How often the primary is asked how far it has come. */
const MARK_EVERY = 1000;
/** How long an answer to that may take. */
const ANSWER_IN = 1000;
/** How long a read may take before the primary is asked instead. */
const READ_IN = 3000;
/** A replica that is further behind is left out until it has caught up. */
const MOST_BEHIND = 5000;

/** How far the primary had come in its log, and when. */
interface Mark {
  log: number;
  at: number;
}

/** What a replica says of itself. */
interface State {
  following: boolean;
  /** Every transaction below has ended, and is here if it was committed. */
  horizon: number;
  /** How far it has come in the primary's log. */
  log: number;
}

/**
 * The replicas of a primary, each watched. One that is away, too far behind or no replica any more is left out, and
 * taken back once it is well; a read that fails on one is asked of the primary. So nobody gets an error for its sake.
 */
export class Replicas {
  readonly #primary: Pool;
  readonly #all: Replica[];
  readonly #marks: Mark[] = [];
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void>;
  #turn = 0;

  /** `url` is the primary's. */
  constructor(url: string, replicas: Replica[]) {
    this.#primary = watching(url);
    this.#all = replicas;
    this.#looking = replicas.length > 0 ? this.#look() : Promise.resolve();
  }

  get states(): { name: string; inUse: boolean }[] {
    return this.#all.map(({ name, inUse }) => ({ name, inUse }));
  }

  /** Where to read what a replica may be asked for, each in its turn; null where none is in use, or none has come so far. */
  async holding(position: () => Promise<number>): Promise<Db | null> {
    if (!this.#all.some(({ inUse }) => inUse)) return null;
    const needed = await position();
    const able = this.#all.filter((one) => one.inUse && one.holds(needed));
    this.#turn += 1;
    return able[this.#turn % able.length]?.db ?? null;
  }

  async close(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all([this.#primary.end(), ...this.#all.map((one) => one.close())]);
  }

  async #look(): Promise<void> {
    await Promise.all([this.#mark(), ...this.#all.map((one) => one.look(this.#marks))]);
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, EVERY).unref();
  }

  /** Where the primary can't be asked nothing is written either, so that what replicas hold gets no older. */
  async #mark(): Promise<void> {
    const at = performance.now();
    if (at - (this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < MARK_EVERY) return;
    const log = await ask<{ log: number }>(this.#primary, "select pg_current_wal_lsn() - '0/0' as log");
    if (!log) return;
    this.#marks.push({ ...log, at });
    while ((this.#marks[0]?.at ?? at) < at - 2 * MOST_BEHIND) this.#marks.shift();
  }
}

/** One replica: where reads are asked of it, and what was last seen of it. */
export class Replica {
  /** Its host and port. */
  readonly name: string;
  readonly db: Db;
  readonly #pool: Pool;
  readonly #watch: Pool;
  #state: State | null = null;
  #behind = Number.POSITIVE_INFINITY;
  #seenAt = Number.NEGATIVE_INFINITY;

  constructor(url: string, connections: number, dbOf: (pool: Pool) => Db) {
    this.name = new URL(url).host;
    this.#pool = openPool({ url, connections, timeout: READ_IN, patience: ANSWER_IN });
    this.#watch = watching(url);
    this.db = dbOf(this.#pool);
  }

  /** Whether it was lately seen to follow, and not too far behind. */
  get inUse(): boolean {
    const age = this.#behind + performance.now() - this.#seenAt;
    return this.#state?.following === true && age < MOST_BEHIND;
  }

  holds(position: number): boolean {
    return position < (this.#state?.horizon ?? 0);
  }

  async look(marks: Mark[]): Promise<void> {
    const at = performance.now();
    this.#state = await ask<State>(
      this.#watch,
      `select pg_is_in_recovery() as following, pg_last_wal_replay_lsn() - '0/0' as log,
        cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) as horizon`,
    );
    if (!this.#state) return;
    this.#seenAt = at;
    const { log } = this.#state;
    const reached = marks.findLast((mark) => mark.log <= log);
    this.#behind = reached ? (marks.at(-1)?.at ?? 0) - reached.at : Number.POSITIVE_INFINITY;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#watch.end()]);
  }
}

/** A connection of its own for looking, which nothing slow can keep waiting. */
function watching(url: string): Pool {
  return openPool({ url, connections: 1, timeout: ANSWER_IN, patience: ANSWER_IN });
}

/** The one row; null where there is no answer, or none in time. */
async function ask<Row extends object>(pool: Pool, text: string): Promise<Row | null> {
  try {
    const { rows } = await pool.query<Row>(text);
    return rows[0] ?? null;
  } catch {
    return null;
  }
}
