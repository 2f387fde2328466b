import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { insertInto } from "../bulk.ts";
import type { TextIndex } from "../search.ts";
import type { Db } from "../storage.ts";
import { asMissingExtension } from "./compatibility.ts";

/** Shorter terms contain no trigram, so the index can't find them. */
const SHORTEST = 3;

/** A trigram index (pg_trgm) on a table of folded texts. */
export function trigramIndex(texts: { table: string; id: string }): TextIndex {
  const table = sql.table(texts.table);
  const id = sql.ref(texts.id);
  const key = sql.ref(`${texts.table}.${texts.id}`);
  const folded = sql.ref(`${texts.table}.folded`);
  return {
    texts,
    async put(tx, of, text) {
      await sql`
        insert into ${table} (${id}, folded) values (${of}, ${text})
        on conflict (${id}) do update set folded = excluded.folded
      `.execute(tx);
    },
    async add(tx, added) {
      const rows = added.map(({ id, folded }) => ({ [texts.id]: id, folded }));
      await insertInto(tx, texts.table, [texts.id, "folded"], rows);
    },
    async remove(tx, ids) {
      await sql`delete from ${table} where ${id} in (${ids})`.execute(tx);
    },
    holds: (of, terms) =>
      sql<SqlBool>`exists (select 1 from ${table} where ${key} = ${of} and ${all(folded, terms)})`,
    async candidates(_db, terms, below) {
      const long = terms.filter((term) => [...term].length >= SHORTEST);
      if (long.length === 0) return null;
      const like = long.map((term) => sql`folded like ${pattern(term)}`);
      return sql`(select ${id} as id from ${table} where ${sql.join(like, sql` and `)} and ${id} < ${below})`;
    },
    // PostgreSQL itself keeps the index.
    unindexed: async () => [],
    strays: null,
  };
}

function all(folded: Expression<unknown>, terms: readonly string[]): RawBuilder<SqlBool> {
  return sql.join(
    terms.map((term) => sql`strpos(${folded}, ${term}) > 0`),
    sql` and `,
  );
}

/** Escapes wildcards in the term. */
function pattern(term: string): string {
  return `%${term.replace(/[\\%_]/g, "\\$&")}%`;
}

export async function createTrigramIndexes(db: Db): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db).catch((error) => {
    throw asMissingExtension(error);
  });
  for (const table of ["post_texts", "creator_texts"]) {
    const index = sql.ref(`${table}_trigrams`);
    await sql`create index ${index} on ${sql.table(table)} using gin (folded gin_trgm_ops)`.execute(db);
  }
}
