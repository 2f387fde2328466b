import { sql } from "kysely";
import { insertInto } from "../../storage/bulk.ts";
import type { DeferredObject, Table } from "../../storage/catalog.ts";
import { hasUnfinishedMove, PROGRESS_TABLE } from "../../storage/migration-marker.ts";
import type { Db } from "../../storage/storage.ts";
import { Refusal } from "../refusal.ts";
import { nothing, type Sum } from "./checksum.ts";
import { emptyTable } from "./rows.ts";

/** A table's progress, updated in the same transaction as its rows. */
export interface Copied extends Sum {
  /** The key of the last copied row. */
  upto: unknown[] | null;
  /** Whether verification failed, so that the table must be copied again. */
  wrong: boolean;
}

const VERIFIED = "verified";
const tableNote = (table: string) => `table ${table}`;
const objectNote = (place: number) => `burden ${String(place).padStart(6, "0")}`;

/** Marks the target as unfinished and drops its indexes and foreign keys, unless that is already done. */
export async function begin(tx: Db, tables: readonly Table[]): Promise<void> {
  if (!(await hasUnfinishedMove(tx))) await mark(tx, tables);
  const copied = await readNotes(tx, "table ");
  const names = tables.map(({ name }) => tableNote(name)).filter((name) => !copied.has(name));
  await write(
    tx,
    names.map((name) => ({ name, note: JSON.stringify(untouched) })),
  );
}

const untouched: Copied = { ...nothing, upto: null, wrong: false };

async function mark(tx: Db, tables: readonly Table[]): Promise<void> {
  const { catalog } = tx.engine;
  const deferredObjects = await catalog.deferredObjects(tx);
  await tx.schema
    .createTable(PROGRESS_TABLE)
    .addColumn("name", "text", (c) => c.primaryKey())
    .addColumn("note", "text", (c) => c.notNull())
    .execute();
  for (const { drop } of deferredObjects) await sql.raw(drop).execute(tx);
  await write(
    tx,
    deferredObjects.map(({ create }, i) => ({ name: objectNote(i), note: create })),
  );
  // Rows that schema migrations inserted come from the source too.
  for (const table of tables) await emptyTable(tx, table);
}

export async function copiedSoFar(db: Db, { name }: Table): Promise<Copied> {
  const note = (await readNotes(db, tableNote(name))).get(tableNote(name));
  if (note === undefined) throw conflict();
  return JSON.parse(note);
}

/** Records a table's progress from `before` to `after`. Throws if another process has changed it meanwhile. */
export async function recordStep(tx: Db, { name }: Table, before: Copied, after: Copied): Promise<void> {
  const { numAffectedRows } = await sql`
    update ${sql.table(PROGRESS_TABLE)} set note = ${JSON.stringify(after)}
    where name = ${tableNote(name)} and note = ${JSON.stringify(before)}
  `.execute(tx);
  if (numAffectedRows !== 1n) throw conflict();
}

function conflict(): Refusal {
  return new Refusal("Another migration into this target is running.");
}

export async function restart(tx: Db, table: Table, before: Copied): Promise<Copied> {
  await recordStep(tx, table, before, untouched);
  await emptyTable(tx, table);
  return untouched;
}

/** Skips copying and verification from now on: only indexes and foreign keys remain to be recreated. */
export function recordVerified(tx: Db): Promise<void> {
  return write(tx, [{ name: VERIFIED, note: "" }]);
}

export async function isVerified(db: Db): Promise<boolean> {
  return (await readNotes(db, VERIFIED)).size > 0;
}

/** The statements that recreate dropped objects, by note name, in the order in which they must run. */
export function remainingObjects(db: Db): Promise<Map<string, DeferredObject["create"]>> {
  return readNotes(db, "burden ");
}

export async function recreate(tx: Db, note: string, create: string): Promise<void> {
  await sql.raw(create).execute(tx);
  await sql`delete from ${sql.table(PROGRESS_TABLE)} where name = ${note}`.execute(tx);
}

/** Removes the mark. */
export async function end(tx: Db): Promise<void> {
  await tx.schema.dropTable(PROGRESS_TABLE).execute();
}

function write(tx: Db, notes: readonly { name: string; note: string }[]): Promise<void> {
  return insertInto(tx, PROGRESS_TABLE, ["name", "note"], notes);
}

async function readNotes(db: Db, beginning: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ name: string; note: string }>`
    select name, note from ${sql.table(PROGRESS_TABLE)}
    where substr(name, 1, ${sql.lit(beginning.length)}) = ${beginning} order by name`.execute(db);
  return new Map(rows.map(({ name, note }) => [name, note]));
}
