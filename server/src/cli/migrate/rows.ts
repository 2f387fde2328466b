import { type RawBuilder, sql } from "kysely";
import { insertInto, type Row } from "../../storage/bulk.ts";
import type { Table } from "../../storage/catalog.ts";
import type { Engine } from "../../storage/engine.ts";
import type { TextIndex } from "../../storage/search.ts";
import type { Db } from "../../storage/storage.ts";

/** The next rows after a key, in key order; null starts at the beginning. */
export async function readRows(db: Db, table: Table, after: unknown[] | null, limit: number): Promise<Row[]> {
  const { name, columns, key } = table;
  const beyond = after === null ? sql`` : sql`where (${refs(key)}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${refs(columns)} from ${sql.table(name)} ${beyond} order by ${refs(key)} limit ${limit}`.execute(
    db,
  );
  return rows;
}

export function keyOf({ key }: Table, row: Row): unknown[] {
  return key.map((column) => row[column]);
}

/** Inserts rows; searchable texts go through their index. */
export async function addRows(tx: Db, { name, columns }: Table, rows: readonly Row[]): Promise<void> {
  const index = textIndexOf(tx, name);
  if (!index) return insertInto(tx, name, columns, rows);
  const { id } = index.texts;
  await index.add(
    tx,
    rows.map((row) => ({ id: Number(row[id]), folded: String(row.folded) })),
  );
}

export async function emptyTable(tx: Db, { name }: Table): Promise<void> {
  const index = textIndexOf(tx, name);
  if (index) return index.remove(tx, sql<number>`select ${sql.ref(index.texts.id)} from ${sql.table(name)}`);
  await sql`delete from ${sql.table(name)}`.execute(tx);
}

type Searches = { [Name in keyof Engine]: Engine[Name] extends TextIndex ? Name : never }[keyof Engine];

/** All search indexes of an engine. The type fails to compile if one is missing. */
const searches: Record<Searches, true> = { postSearch: true, creatorSearch: true };

function textIndexOf({ engine }: Db, table: string): TextIndex | undefined {
  return (Object.keys(searches) as Searches[])
    .map((name) => engine[name])
    .find(({ texts }) => texts.table === table);
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
