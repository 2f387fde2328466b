import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { TextIndex } from "../search.ts";
import type { Db } from "../storage.ts";

/** A term expands to at most so many trigrams of the index before it is too common to be worth looking up. */
const EXPANSION = 200;
/** So many trigrams narrow a long term down as well as all of them would. */
const TRIGRAMS = 40;

/** Text is padded so that a trigram begins at each of its characters, the last two included. */
const PADDING = "  ";

/**
 * An FTS5 index of trigrams over a table of folded texts. It keeps no positions (`detail=none`), which makes it
 * small and quick to write; so it says which texts may hold a term, and `holds` makes sure.
 */
export function trigramIndex(index: string, texts: { table: string; id: string }): TextIndex {
  const fts = sql.table(index);
  const indexed = sql.ref(`${index}.rowid`);
  const table = sql.table(texts.table);
  const key = sql.ref(`${texts.table}.${texts.id}`);
  const folded = sql.ref(`${texts.table}.folded`);
  return {
    async put(tx, id, text) {
      await sql`
        insert into ${table} (${sql.ref(texts.id)}, folded) values (${id}, ${text})
        on conflict do update set folded = excluded.folded
      `.execute(tx);
      await sql`delete from ${fts} where rowid = ${id}`.execute(tx);
      await sql`insert into ${fts} (rowid, text) values (${id}, ${text + PADDING})`.execute(tx);
    },
    async add(tx, added) {
      for (const { id, folded: text } of added) {
        await sql`insert into ${table} (${sql.ref(texts.id)}, folded) values (${id}, ${text})`.execute(tx);
        await sql`insert into ${fts} (rowid, text) values (${id}, ${text + PADDING})`.execute(tx);
      }
    },
    async remove(tx, ids) {
      await sql`delete from ${fts} where rowid in (${ids})`.execute(tx);
      await sql`delete from ${table} where ${sql.ref(texts.id)} in (${ids})`.execute(tx);
    },
    holds: (id, terms) =>
      sql<SqlBool>`exists (select 1 from ${table} where ${key} = ${id} and ${all(folded, terms)})`,
    async candidates(db, terms, below) {
      const match = await matchExpression(db, index, terms);
      if (match === null) return null;
      return sql`(select rowid as id from ${fts} where ${fts} match ${match} and ${indexed} < ${below})`;
    },
  };
}

function all(folded: Expression<unknown>, terms: readonly string[]): RawBuilder<SqlBool> {
  return sql.join(
    terms.map((term) => sql`instr(${folded}, ${term}) > 0`),
    sql` and `,
  );
}

export async function createTrigramIndex(db: Db, index: string): Promise<void> {
  await sql`create virtual table ${sql.table(index)} using fts5(
    text, content='', contentless_delete=1, detail=none, tokenize='trigram case_sensitive 1'
  )`.execute(db);
  await sql`create virtual table ${sql.table(`${index}_terms`)} using fts5vocab(${sql.lit(index)}, row)`.execute(
    db,
  );
}

/** What FTS5 is asked: all trigrams of each term. Null where every term is too short and too common. */
async function matchExpression(db: Db, index: string, terms: readonly string[]): Promise<string | null> {
  const parts: string[] = [];
  for (const term of terms) {
    const characters = [...term];
    const part =
      characters.length < 3 ? await beginningWith(db, index, term) : trigrams(characters).join(" AND ");
    if (part !== null) parts.push(`(${part})`);
  }
  return parts.length > 0 ? parts.join(" AND ") : null;
}

function trigrams(characters: string[]): string[] {
  const all = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(""));
  return [...new Set(all)].slice(0, TRIGRAMS).map(quoted);
}

/** A term of one or two characters is looked up as every trigram of the index that begins with it. */
async function beginningWith(db: Db, index: string, term: string): Promise<string | null> {
  const after = term + String.fromCodePoint(0x10ffff).repeat(3);
  const { rows } = await sql<{ term: string }>`
    select term from ${sql.table(`${index}_terms`)} where term >= ${term} and term < ${after} limit ${EXPANSION + 1}
  `.execute(db);
  if (rows.length > EXPANSION) return null;
  // Nothing begins so: ask for what no text holds, for every text ends in blanks.
  return rows.length > 0 ? rows.map((row) => quoted(row.term)).join(" OR ") : quoted("\u0001\u0001\u0001");
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
