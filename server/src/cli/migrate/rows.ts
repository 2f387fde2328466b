import { type RawBuilder, sql } from "kysely";
import { insertInto, type Row } from "../../storage/bulk.ts";
import type { Table } from "../../storage/catalog.ts";
import type { Engine } from "../../storage/engine.ts";
import type { TextIndex } from "../../storage/search.ts";
import type { Db } from "../../storage/storage.ts";

/** The next rows after that key, in the order of the key; the first ones after null. */
export async function readRows(db: Db, table: Table, after: unknown[] | null, most: number): Promise<Row[]> {
  const { name, columns, key } = table;
  const beyond = after === null ? sql`` : sql`where (${refs(key)}) > (${sql.join(after)})`;
  const { rows } = await sql<Row>`
    select ${refs(columns)} from ${sql.table(name)} ${beyond} order by ${refs(key)} limit ${most}`.execute(
    db,
  );
  return rows;
}

export function keyOf({ key }: Table, row: Row): unknown[] {
  return key.map((column) => row[column]);
}

/** Texts go in through their index, so that search finds them. */
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

/** Every index that an engine has: one that isn't named here doesn't compile. */
const searches: Record<Searches, true> = { postSearch: true, creatorSearch: true };

function textIndexOf({ engine }: Db, table: string): TextIndex | undefined {
  return (Object.keys(searches) as Searches[])
    .map((name) => engine[name])
    .find(({ texts }) => texts.table === table);
}

function refs(columns: readonly string[]): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql.ref(column)));
}
