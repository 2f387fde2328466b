import { sql } from "kysely";
import { DEFAULT_MIGRATION_LOCK_TABLE, DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import type { Table } from "../../storage/catalog.ts";
import { PROGRESS_TABLE } from "../../storage/migration-marker.ts";
import type { Db } from "../../storage/storage.ts";

/** Tables that belong to each database itself. */
const excluded = [DEFAULT_MIGRATION_TABLE, DEFAULT_MIGRATION_LOCK_TABLE, PROGRESS_TABLE];

/** The tables that both databases have. Both are at the latest schema migration. */
export async function tablesToMove(source: Db, target: Db): Promise<Table[]> {
  const [from, to] = await Promise.all([source, target].map(ownTables));
  return (from ?? []).filter(({ name }) => to?.some((one) => one.name === name));
}

/** The tables whose rows belong to the instance, whatever database it is in. */
export async function ownTables(db: Db): Promise<Table[]> {
  const tables = (await db.engine.catalog.tables(db)).filter(({ name }) => !excluded.includes(name));
  for (const { name, key } of tables)
    if (key.length === 0) throw new Error(`Table ${name} has no primary key`);
  return tables;
}

export async function countRows(db: Db, tables: readonly Pick<Table, "name">[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(
      db,
    );
    total += rows[0]?.count ?? 0;
  }
  return total;
}
