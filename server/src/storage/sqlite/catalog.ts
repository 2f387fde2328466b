import { sql } from "kysely";
import type { Catalog, DeferredObject } from "../catalog.ts";

export const catalog: Catalog = {
  async has(db, table) {
    const found = sql`select 1 from sqlite_master where type = 'table' and name = ${table}`;
    return (await found.execute(db)).rows.length > 0;
  },
  async tables(db) {
    const { rows } = await sql<Column>`
      select l.name as "table", c.name as "column", c.pk
      from pragma_table_list as l, pragma_table_info(l.name) as c
      where l.schema = 'main' and l.type = 'table' and l.name not like 'sqlite%'
      order by l.name, c.cid
    `.execute(db);
    const names = [...new Set(rows.map(({ table }) => table))];
    return names.map((name) => {
      const own = rows.filter(({ table }) => table === name);
      const key = own.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
      return { name, columns: own.map(({ column }) => column), key: key.map(({ column }) => column) };
    });
  },
  async lastIds(db) {
    const { rows } = await sql<{ name: string; seq: number }>`select name, seq from sqlite_sequence`.execute(
      db,
    );
    return new Map(rows.map(({ name, seq }) => [name, seq]));
  },
  async setLastId(tx, table, id) {
    await sql`delete from sqlite_sequence where name = ${table}`.execute(tx);
    await sql`insert into sqlite_sequence (name, seq) values (${table}, ${id})`.execute(tx);
  },
  // SQLite can't drop foreign keys; a bulk load's connection doesn't enforce them instead.
  async deferredObjects(db) {
    const { rows } = await sql<DeferredObject>`
      select format('drop index "%w"', name) as "drop", sql as "create"
      from sqlite_master where type = 'index' and sql is not null order by name
    `.execute(db);
    return rows;
  },
  async brokenReferences(db) {
    const found = sql<{ table: string }>`select distinct "table" from pragma_foreign_key_check`;
    return (await found.execute(db)).rows.map(({ table }) => table);
  },
  async damages(db) {
    const { rows } = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db);
    return rows.map(({ integrity_check }) => integrity_check).filter((found) => found !== "ok");
  },
  // Not needed: as long as ANALYZE never runs, SQLite plans from the schema alone.
  analyze: async () => {},
  async identity(db) {
    const { rows } = await sql<{ file: string }>`
      select file from pragma_database_list where name = 'main'`.execute(db);
    return `file ${rows[0]?.file}`;
  },
};

interface Column {
  table: string;
  column: string;
  /** Its position in the primary key, from 1; 0 if it isn't part of it. */
  pk: number;
}
