import { sql } from "kysely";
import type { Catalog, DeferredObject, SchemaObject, Table } from "../catalog.ts";

/** A condition on pg_class: tables in Tandem's schema. */
const isTandemTable = sql`relkind in ('r', 'p') and relnamespace = current_schema()::text::regnamespace`;

/** What the migrations create on PostgreSQL only. */
const ownObjects: readonly SchemaObject[] = [
  { kind: "index", name: "post_texts_trigrams", create: null },
  { kind: "index", name: "creator_texts_trigrams", create: null },
  { kind: "trigger", name: "audit_log_no_change", create: null },
  { kind: "trigger", name: "audit_log_no_truncate", create: null },
];

export const catalog: Catalog = {
  async has(db, table) {
    const found = sql`select 1 from pg_class where ${isTandemTable} and relname = ${table}`;
    return (await found.execute(db)).rows.length > 0;
  },
  async tables(db) {
    const { rows } = await sql<Table>`
      select relname as name,
        array(
          select attname::text from pg_attribute
          where attrelid = pg_class.oid and attnum > 0 and not attisdropped order by attnum
        ) as columns,
        array(
          select attname::text
          from pg_index, unnest(indkey) with ordinality as part (number, place), pg_attribute
          where indrelid = pg_class.oid and indisprimary and attrelid = indrelid and attnum = number
          order by place
        ) as key
      from pg_class where ${isTandemTable} order by relname
    `.execute(db);
    return rows;
  },
  async objects(db) {
    const { rows } = await sql<SchemaObject>`
      select 'table' as kind, relname as name, null as "create" from pg_class where ${isTandemTable}
      union all
      select 'column', concat(relname, '.', attname), null from pg_class join pg_attribute on attrelid = pg_class.oid
      where ${isTandemTable} and attnum > 0 and not attisdropped
      union all
      select 'index', i.relname, null from pg_class i
      where i.relkind in ('i', 'I') and i.relnamespace = current_schema()::text::regnamespace
      union all
      select 'trigger', tgname, null from pg_trigger join pg_class on pg_class.oid = tgrelid
      where ${isTandemTable} and not tgisinternal and tgenabled in ('O', 'A')`.execute(db);
    return rows;
  },
  expected(onSqlite) {
    const common = onSqlite.filter(({ kind }) => kind === "table" || kind === "column" || kind === "index");
    return [...common.map((object) => ({ ...object, create: null })), ...ownObjects];
  },
  async lastIds(db) {
    const { rows } = await sql<{ name: string; last: number | null }>`
      select relname as name,
        pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), attname)::regclass) as last
      from pg_class join pg_attribute on attrelid = pg_class.oid and attidentity <> ''
      where ${isTandemTable}
    `.execute(db);
    return new Map(rows.map(({ name, last }) => [name, last ?? 0]));
  },
  async setLastId(tx, table, id) {
    // `is_called` is false for a table that never assigned an id, so that its first id is 1.
    await sql`
      select setval(pg_get_serial_sequence(quote_ident(${table}), 'id'), greatest(${id}::bigint, 1), ${id}::bigint > 0)
    `.execute(tx);
  },
  async deferredObjects(db) {
    const { rows } = await sql<DeferredObject>`
      select format('drop index %s', indexrelid::regclass) as drop, pg_get_indexdef(indexrelid) as create
      from pg_index join pg_class on pg_class.oid = indrelid
      where ${isTandemTable} and not exists (select 1 from pg_constraint where conindid = indexrelid)
      union all
      select format('alter table %s drop constraint %I', conrelid::regclass, conname),
        format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid))
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where ${isTandemTable} and contype = 'f'
    `.execute(db);
    return rows;
  },
  // Recreating a foreign key fails if a row violates it.
  brokenReferences: async () => [],
  damages: async () => [],
  async analyze(tx) {
    await sql`analyze`.execute(tx);
  },
  async identity(db) {
    const { rows } = await sql<{ place: string }>`
      select concat_ws(' ', pg_postmaster_start_time(), current_database(), current_schema()) as place`.execute(
      db,
    );
    return `server ${rows[0]?.place}`;
  },
};
