import type { Pool } from "pg";
import type { Db } from "../storage.ts";
import { codeOf } from "./errors.ts";
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

/** What tells one history of a database from another: its cluster, and where it branched off last. */
interface History {
  system: string;
  timeline: number;
}

/** How far the primary had come in its log, and when it was asked. */
interface Mark extends History {
  log: number;
  at: number;
}

/** What a replica says of itself. */
interface State extends History {
  following: boolean;
  /** Every transaction below has ended, and is here if it was committed. */
  horizon: number;
  /** How far it has come in the primary's log. */
  log: number;
}

const MARK = `select pg_current_wal_lsn() - '0/0' as log,
  cast((pg_control_system()).system_identifier as text) as system,
  cast(cast('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8) as bit(32)) as integer) as timeline`;

const STATE = `select pg_is_in_recovery() as following, pg_last_wal_replay_lsn() - '0/0' as log,
  cast((pg_control_system()).system_identifier as text) as system,
  (pg_control_checkpoint()).timeline_id as timeline,
  cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint) as horizon`;

/** A sentence for the operator's log. */
export type Tell = (sentence: string) => void;

/**
 * The replicas of a primary, each watched. One that is away, too far behind or no replica of it is left out, and
 * taken back once it is well; a read that fails on one is asked of the primary. So nobody gets an error for its sake.
 */
export class Replicas {
  readonly #primary: Pool;
  readonly #all: Replica[];
  readonly #marks: Mark[] = [];
  readonly #tell: Tell;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void>;
  #turn = 0;

  /** `url` is the primary's. */
  constructor(url: string, replicas: Replica[], tell: Tell) {
    this.#primary = watching(url);
    this.#all = replicas;
    this.#tell = tell;
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

  /** Resolves when all have been asked once. Throws the answer of one that will never let us in. */
  async begun(): Promise<void> {
    await this.#looking;
    const refused = this.#all.map(({ error }) => error).find((error) => REFUSED.test(codeOf(error)));
    if (refused) throw refused;
  }

  async close(): Promise<void> {
    await this.#looking;
    clearTimeout(this.#timer);
    await Promise.all([this.#primary.end(), ...this.#all.map((one) => one.close())]);
  }

  async #look(): Promise<void> {
    await Promise.all([this.#mark(), ...this.#all.map((one) => one.look())]);
    for (const one of this.#all) one.judge(this.#marks, this.#tell);
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, EVERY).unref();
  }

  /** Where the primary can't be asked nothing is written either, so that what replicas hold gets no older. */
  async #mark(): Promise<void> {
    const at = performance.now();
    if (at - (this.#marks.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < MARK_EVERY) return;
    const mark = await ask<Omit<Mark, "at">>(this.#primary, MARK).catch(() => null);
    if (!mark) return;
    this.#marks.push({ ...mark, at });
    while ((this.#marks[0]?.at ?? at) < at - 2 * MOST_BEHIND) this.#marks.shift();
  }
}

/** One replica: where reads are asked of it, and what was last seen of it. */
export class Replica {
  /** Its host and port. */
  readonly name: string;
  readonly db: Db;
  /** Why it gave no answer when it was last asked. */
  error: unknown = null;
  readonly #pool: Pool;
  readonly #watch: Pool;
  #state: State | null = null;
  #answeredAt = Number.NEGATIVE_INFINITY;
  /** Milliseconds; infinite unless it is known to follow. */
  #behind = Number.POSITIVE_INFINITY;
  #counters: string | null = null;

  constructor(url: string, connections: number, dbOf: (pool: Pool) => Db) {
    this.name = new URL(url).host;
    this.#pool = openPool({ url, connections, timeout: READ_IN, patience: ANSWER_IN });
    this.#watch = watching(url);
    this.db = dbOf(this.#pool);
  }

  /** Whether it was lately seen to follow, and not too far behind. */
  get inUse(): boolean {
    return this.#behind + performance.now() - this.#answeredAt < MOST_BEHIND;
  }

  holds(position: number): boolean {
    return position < (this.#state?.horizon ?? 0);
  }

  /** Asks it how it stands; {@link judge} then says what that is worth. */
  async look(): Promise<void> {
    try {
      this.#state = await ask<State>(this.#watch, STATE);
      this.#answeredAt = performance.now();
      this.error = null;
    } catch (error) {
      this.#state = null;
      this.error = error;
    }
  }

  /** Takes it into use or leaves it out, and tells where that has changed. */
  judge(marks: readonly Mark[], tell: Tell): void {
    const latest = marks.at(-1);
    // As long as the primary never answered, nothing is known.
    if (!latest) return;
    const fault = this.#fault(latest);
    const reached = marks.findLast(({ log }) => log <= (this.#state?.log ?? -1));
    this.#behind = fault === null && reached ? latest.at - reached.at : Number.POSITIVE_INFINITY;
    const counters = fault ?? (this.inUse ? "in use" : "too far behind");
    if (counters === this.#counters) return;
    this.#counters = counters;
    tell(`The replica ${this.name} is ${this.inUse ? "read from" : `left out: ${counters}`}.`);
  }

  /** Why it is no replica of the primary; null if it may be one. */
  #fault(primary: Mark): string | null {
    const state = this.#state;
    if (!state) return `it doesn't answer (${(this.error as Error | null)?.message})`;
    if (!state.following) return "it follows no other";
    if (state.system !== primary.system) return "it is of another cluster";
    if (state.timeline !== primary.timeline) return "it hasn't settled on the primary's timeline";
    // It had come further than the primary has since: what it followed was another primary's log.
    if (state.log > primary.log && this.#answeredAt < primary.at) return "it is ahead of the primary";
    return null;
  }

  async close(): Promise<void> {
    await Promise.all([this.#pool.end(), this.#watch.end()]);
  }
}

/** SQLSTATE of what no waiting mends: such a user, password or database there is not. */
const REFUSED = /^(28...|3D000)$/;

/** A connection of its own for looking, which nothing slow can keep waiting. */
function watching(url: string): Pool {
  return openPool({ url, connections: 1, timeout: ANSWER_IN, patience: ANSWER_IN });
}

/** The one row that the answer is. */
async function ask<Row extends object>(pool: Pool, text: string): Promise<Row> {
  const { rows } = await pool.query<Row>(text);
  return rows[0] as Row;
}
