import { sql } from "kysely";
import type { BrokenReference, Catalog, DeferredObject, SchemaObject } from "../catalog.ts";
import type { Db } from "../storage.ts";

/** Rows of a broken foreign key that are named. */
const EXAMPLES = 3;

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
  async objects(db) {
    const { rows } = await sql<SchemaObject>`
      select case when sql like 'create virtual%' then 'search index' else type end as kind, name, sql as "create"
      from sqlite_master where sql is not null and name not like 'sqlite%' and name not in (
        select name from pragma_table_list where schema = 'main' and type = 'shadow')
      union all
      select 'column', l.name || '.' || c.name, null from pragma_table_list as l, pragma_table_info(l.name) as c
      where l.schema = 'main' and l.type = 'table' and l.name not like 'sqlite%'`.execute(db);
    return rows;
  },
  expected: (onSqlite) => onSqlite,
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
    const { rows } = await sql<Broken>`
      select "table", parent, fkid, count(*) as "rows" from pragma_foreign_key_check
      group by "table", parent, fkid order by "table", fkid`.execute(db);
    const references: BrokenReference[] = [];
    for (const { fkid, ...broken } of rows)
      references.push({ ...broken, examples: await breaking(db, { fkid, ...broken }) });
    return references;
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

interface Broken {
  table: string;
  parent: string;
  /** The number of the foreign key. */
  fkid: number;
  rows: number;
}

/** Names a few rows that break a foreign key by their primary key and what they reference. */
async function breaking(db: Db, { table, parent, fkid }: Broken): Promise<string[]> {
  const { rows: pairs } = await sql<{ own: string; other: string }>`
    select f."from" as own, coalesce(f."to", c.name) as other
    from pragma_foreign_key_list(${table}) f left join pragma_table_info(${parent}) c on c.pk = f.seq + 1
    where f.id = ${fkid} order by f.seq`.execute(db);
  const { rows: key } = await sql<{ name: string }>`
    select name from pragma_table_info(${table}) where pk > 0 order by pk`.execute(db);
  const named = [...new Set([...key.map(({ name }) => name), ...pairs.map(({ own }) => own)])];
  const isReferenced = pairs.map(({ own, other }) => sql`p.${sql.ref(other)} = t.${sql.ref(own)}`);
  const isComplete = pairs.map(({ own }) => sql`t.${sql.ref(own)} is not null`);
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(named.map((name) => sql`t.${sql.ref(name)}`))} from ${sql.table(table)} as t
    where ${sql.join(isComplete, sql` and `)}
      and not exists (select 1 from ${sql.table(parent)} as p where ${sql.join(isReferenced, sql` and `)})
    limit ${EXAMPLES}`.execute(db);
  return rows.map((row) => named.map((name) => `${name} ${row[name]}`).join(", "));
}

interface Column {
  table: string;
  column: string;
  /** Its position in the primary key, from 1; 0 if it isn't part of it. */
  pk: number;
}
