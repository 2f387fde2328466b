import { type CompiledQuery, type Insertable, type RawBuilder, sql } from "kysely";
import type { Schema } from "./schema.ts";
import type { Db } from "./storage.ts";

/** Rows per insert statement, largest first: three fixed sizes, so that few statements are compiled. */
const CHUNKS = [128, 8, 1] as const;

/** Inserts many rows. All must have the same columns as the first. */
export function insertRows<Table extends keyof Schema>(
  tx: Db,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  return insertInto(tx, table, Object.keys(rows[0] ?? {}), rows as readonly Row[]);
}

/** Inserts a row and returns its id. */
export async function insertRow<Table extends keyof Schema>(
  tx: Db,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<number> {
  const query = statement(tx, table, Object.keys(row), 1, sql` returning id`);
  const [added] = await tx.rows<{ id: number }>({ ...query, parameters: Object.values(row) });
  if (!added) throw new Error(`the new row of ${table} has no id`);
  return added.id;
}

export type Row = Readonly<Record<string, unknown>>;

/** The same for a table whose name and columns are known only at run time. */
export async function insertInto(
  tx: Db,
  table: string,
  columns: readonly string[],
  rows: readonly Row[],
): Promise<void> {
  let done = 0;
  for (const size of CHUNKS) {
    for (; rows.length - done >= size; done += size) {
      const chunk = rows.slice(done, done + size);
      const parameters = chunk.flatMap((row) => columns.map((column) => row[column]));
      await tx.rows({ ...statement(tx, table, columns, size), parameters });
    }
  }
}

const compiled = new Map<string, CompiledQuery>();

function statement(
  tx: Db,
  table: string,
  columns: readonly string[],
  rows: number,
  returning: RawBuilder<unknown> | null = null,
): CompiledQuery {
  const name = `${tx.engine.name} ${table} ${columns} ${rows} ${returning !== null}`;
  const cached = compiled.get(name);
  if (cached) return cached;
  const row = sql`(${sql.join(columns.map(() => null))})`;
  const query = sql`insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
    values ${sql.join(Array.from({ length: rows }, () => row))}${returning ?? sql``}`.compile(tx);
  compiled.set(name, query);
  return query;
}
