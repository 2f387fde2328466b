import { randomUUID } from "node:crypto";
import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Schema } from "../storage/schema.ts";
import type { Db } from "../storage/storage.ts";

/*
 * Deferred work waits in the table that it is about: a row is due at `due_at`. A process leases a row before it works on it:
 * `holder` names the lease, and `lease_ends_at` says until when no other process takes the row. A process that dies leaves its
 * rows to the others when their leases end. Leases use the database's clock, since clocks of machines differ.
 */

/** Tables whose rows can be leased. */
export type LeaseTable = {
  [Table in keyof Schema]: Schema[Table] extends { due_at: unknown; holder: unknown; lease_ends_at: unknown }
    ? Table
    : never;
}[keyof Schema];

/** Tables with deferred work. `jobs` are scheduled by the database's clock instead (`job-runs.ts`). */
export type QueueTable = Exclude<LeaseTable, "jobs">;

export type QueueRow<Table extends LeaseTable> = Selectable<Schema[Table]>;

/** Any queue. */
export type AnyQueue = { [Table in QueueTable]: Queue<Table> }[QueueTable];

export interface Queue<Table extends QueueTable> {
  /** Names it in metrics and the log. */
  readonly kind: string;
  readonly table: Table;
  /** The primary key. */
  readonly key: keyof QueueRow<Table> & string;
  /** Milliseconds until other processes may take over the work of one that died: longer than the work takes. */
  readonly lease: number;
  /** Only these rows of the table belong to the queue. */
  readonly where?: RawBuilder<boolean>;
  /** A column: of the rows with the same value, one is leased at a time, even by different processes. */
  readonly lane?: keyof QueueRow<Table> & string;
  /** Whether the table counts in `attempts` how often a row was leased. */
  readonly countsAttempts?: boolean;
}

interface Claim {
  /** Milliseconds since 1970. */
  now: number;
  limit: number;
  /** Only rows for which this holds. */
  also?: RawBuilder<boolean>;
}

/** The keys of rows that are due and not leased, longest due first. */
export function dueKeys(
  db: Db,
  { table, key, where = always }: { table: QueueTable; key: string; where?: RawBuilder<boolean> },
  { now, limit, also = always }: Claim,
): RawBuilder<{ key: number; due_at: number }> {
  return sql`select ${sql.ref(key)} as key, due_at from ${sql.table(table)}
    where ${where} and due_at <= ${now} and ${also}
      and (holder is null or lease_ends_at <= ${db.engine.now})
    order by due_at, ${sql.ref(key)} limit ${limit}`;
}

const always = sql<boolean>`1 = 1`;

/** Whether any row is due. Reads only: usually nothing is due, and this avoids the write lock. */
export async function isDue<Table extends QueueTable>(
  db: Db,
  queue: Queue<Table>,
  claim: Omit<Claim, "limit">,
): Promise<boolean> {
  const { also = always, now } = claim;
  const free = queue.lane ? sql<boolean>`(${also} and ${isFreeLane(db, queue, queue.lane)})` : also;
  const { rows } = await dueKeys(db, queue, { now, also: free, limit: 1 }).execute(db);
  return rows.length > 0;
}

/** Leases rows that are due: at most `limit`, and one at a time where the queue has lanes. */
export async function claim<Table extends QueueTable>(
  tx: Db,
  queue: Queue<Table>,
  claim: Claim,
): Promise<QueueRow<Table>[]> {
  if (queue.lane) return claimFreeLane(tx, queue, queue.lane, claim);
  const { rows } = await sql<{ key: number }>`${dueKeys(tx, queue, claim)} ${skipLocked(tx)}`.execute(tx);
  return lease(tx, queue, rows);
}

/** Waiting for locks would have processes queue for the same rows. */
function skipLocked({ engine }: Db): RawBuilder<unknown> {
  return engine.rowLocks ? sql`for no key update skip locked` : sql``;
}

/** Leases these rows, which the transaction has locked. */
export async function lease<Table extends LeaseTable>(
  tx: Db,
  queue: Leasable<Table> & { lease: number; countsAttempts?: boolean },
  rows: readonly { key: number }[] | readonly [{ key: string }],
): Promise<QueueRow<Table>[]> {
  const keys = rows.map(({ key }) => key);
  if (keys.length === 0) return [];
  const these = keys.length === 1 ? sql`= ${keys[0]}` : sql`in (${tx.engine.oneOf(keys.map(Number))})`;
  const attempt = queue.countsAttempts ? sql`, attempts = attempts + 1` : sql``;
  const leased = await sql<QueueRow<Table>>`update ${sql.table(queue.table)}
    set holder = ${randomUUID()}, lease_ends_at = ${endOf(tx, queue.lease)} ${attempt}
    where ${sql.ref(queue.key)} ${these} returning *`.execute(tx);
  return leased.rows;
}

async function claimFreeLane<Table extends QueueTable>(
  tx: Db,
  queue: Queue<Table>,
  column: string,
  { now, also = always }: Claim,
): Promise<QueueRow<Table>[]> {
  const tried: unknown[] = [];
  for (;;) {
    const untried = tried.length > 0 ? sql`${sql.ref(column)} not in (${sql.join(tried)})` : always;
    const free = sql<boolean>`(${also} and ${untried} and ${isFreeLane(tx, queue, column)})`;
    const due = dueKeys(tx, queue, { now, also: free, limit: 1 });
    const { rows } = await sql<{ key: number }>`${due} ${skipLocked(tx)}`.execute(tx);
    if (rows.length === 0) return [];
    const found = await sql<{ lane: unknown; free: boolean }>`
      select ${sql.ref(column)} as lane from ${sql.table(queue.table)}
      where ${sql.ref(queue.key)} = ${rows[0]?.key}`.execute(tx);
    const lane = found.rows[0]?.lane;
    // Another transaction may be leasing a row of the same lane right now, or may just have done so.
    if ((await tx.engine.tryLock(tx, `${queue.table} ${lane}`)) && !(await isBusy(tx, queue, column, lane)))
      return lease(tx, queue, rows);
    tried.push(lane);
  }
}

function isFreeLane<Table extends QueueTable>(db: Db, queue: Queue<Table>, column: string) {
  return sql`${sql.ref(column)} not in (${busyLanes(db, queue, column)})`;
}

async function isBusy<Table extends QueueTable>(
  db: Db,
  queue: Queue<Table>,
  column: string,
  lane: unknown,
): Promise<boolean> {
  const busy = busyLanes(db, queue, column);
  const { rows } = await sql`select 1 from (${busy}) as busy where lane = ${lane} limit 1`.execute(db);
  return rows.length > 0;
}

function busyLanes<Table extends QueueTable>(db: Db, { table }: Queue<Table>, column: string) {
  return sql`select busy.${sql.ref(column)} as lane from ${sql.table(table)} as busy
    where busy.holder is not null and busy.lease_ends_at > ${db.engine.now}`;
}

/** The lease has ended and the row may be another process's, or someone has changed or deleted the row. */
export class LeaseLostError extends Error {
  override name = "LeaseLostError";
  override message = "The row was changed, or another process took over.";
}

interface Leasable<Table extends LeaseTable> {
  readonly table: Table;
  readonly key: keyof QueueRow<Table> & string;
}

/** Extends the lease to `milliseconds` from now. Throws {@link LeaseLostError}. */
export function renew<Table extends LeaseTable>(
  tx: Db,
  queue: Leasable<Table>,
  row: QueueRow<Table>,
  milliseconds: number,
): Promise<void> {
  return setLeased(tx, queue, row, [sql`lease_ends_at = ${endOf(tx, milliseconds)}`]);
}

type Changes<Row> = { [Column in keyof Row]?: Row[Column] | RawBuilder<Row[Column]> };

/** Ends the lease and sets these columns. Throws {@link LeaseLostError}. */
export function release<Table extends LeaseTable>(
  tx: Db,
  queue: Leasable<Table>,
  row: QueueRow<Table>,
  values: Changes<QueueRow<Table>>,
): Promise<void> {
  const columns = Object.entries(values).map(([column, value]) => sql`${sql.ref(column)} = ${value}`);
  return setLeased(tx, queue, row, [...columns, sql`holder = null`]);
}

/** Deletes a row whose work is done. Throws {@link LeaseLostError}. */
export async function removeLeased<Table extends LeaseTable>(
  tx: Db,
  queue: Leasable<Table>,
  row: QueueRow<Table>,
): Promise<void> {
  const done = await sql`delete from ${sql.table(queue.table)} where ${isLeased(queue, row)}`.execute(tx);
  if (done.numAffectedRows === 0n) throw new LeaseLostError();
}

async function setLeased<Table extends LeaseTable>(
  tx: Db,
  queue: Leasable<Table>,
  row: QueueRow<Table>,
  changes: RawBuilder<unknown>[],
): Promise<void> {
  const done = await sql`update ${sql.table(queue.table)} set ${sql.join(changes)}
    where ${isLeased(queue, row)}`.execute(tx);
  if (done.numAffectedRows === 0n) throw new LeaseLostError();
}

/** Whether the row still belongs to the queue, and to the lease that it was read with. */
export async function isStillLeased<Table extends LeaseTable>(
  db: Db,
  queue: Leasable<Table> & { where?: RawBuilder<boolean> },
  row: QueueRow<Table>,
): Promise<boolean> {
  const { table, where = always } = queue;
  const { rows } =
    await sql`select 1 from ${sql.table(table)} where ${isLeased(queue, row)} and ${where}`.execute(db);
  return rows.length > 0;
}

function isLeased<Table extends LeaseTable>({ key }: Leasable<Table>, row: QueueRow<Table>) {
  const { holder } = row as { holder: string | null };
  return sql`${sql.ref(key)} = ${row[key as keyof QueueRow<Table>]} and holder = ${holder}`;
}

function endOf({ engine }: Db, milliseconds: number): RawBuilder<number> {
  return sql<number>`${engine.now} + ${sql.lit(Math.round(milliseconds))}`;
}
