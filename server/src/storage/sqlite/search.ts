import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { insertInto } from "../bulk.ts";
import type { TextIndex } from "../search.ts";
import type { Db } from "../storage.ts";

/**
 * A short term expands to at most so many trigrams of the index, and these to so many places, before it is too common
 * to be worth looking up. The index must be read to count them: so it is asked for a few trigrams at a time.
 */
const EXPANSION = 200;
const PLACES = 50_000;
const FEW = 10;
/** So many short terms, those with fewest places, and so many trigrams of long ones narrow down as well as all would. */
const SHORT_TERMS = 3;
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
    texts,
    async put(tx, id, text) {
      await sql`
        insert into ${table} (${sql.ref(texts.id)}, folded) values (${id}, ${text})
        on conflict do update set folded = excluded.folded
      `.execute(tx);
      await sql`delete from ${fts} where rowid = ${id}`.execute(tx);
      await sql`insert into ${fts} (rowid, text) values (${id}, ${text + PADDING})`.execute(tx);
    },
    async add(tx, added) {
      const rows = added.map(({ id, folded: text }) => ({ [texts.id]: id, folded: text }));
      await insertInto(tx, texts.table, [texts.id, "folded"], rows);
      const padded = added.map(({ id, folded: text }) => ({ rowid: id, text: text + PADDING }));
      await insertInto(tx, index, ["rowid", "text"], padded);
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

/** What FTS5 is asked: trigrams of each term. Null where every term is too short and too common. */
async function matchExpression(db: Db, index: string, terms: readonly string[]): Promise<string | null> {
  const long = terms.map((term) => [...term]).filter((characters) => characters.length > 2);
  const parts = long.map((characters) =>
    trigrams(characters, Math.ceil(TRIGRAMS / long.length)).join(" AND "),
  );
  const short: Expansion[] = [];
  for (const term of terms) {
    const expansion = [...term].length < 3 ? await expand(db, index, term) : null;
    if (expansion) short.push(expansion);
  }
  const rarest = short.sort((a, b) => a.channels - b.channels).slice(0, SHORT_TERMS);
  parts.push(...rarest.map((one) => one.trigrams.map(quoted).join(" OR ")));
  return parts.length > 0 ? parts.map((part) => `(${part})`).join(" AND ") : null;
}

function trigrams(characters: string[], most: number): string[] {
  const all = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(""));
  return [...new Set(all)].slice(0, most).map(quoted);
}

interface Expansion {
  trigrams: string[];
  channels: number;
}

/** A term of one or two characters, as every trigram of the index that begins with it; null if it is too common. */
async function expand(db: Db, index: string, term: string): Promise<Expansion | null> {
  const after = term + String.fromCodePoint(0x10ffff).repeat(3);
  const vocabulary = sql.table(`${index}_terms`);
  const all: string[] = [];
  for (let [channels, from] = [0, term]; ; from = `${all.at(-1)}\u0001`) {
    const { rows } = await sql<{ term: string; doc: number }>`
      select term, doc from ${vocabulary} where term >= ${from} and term < ${after} limit ${FEW}
    `.execute(db);
    all.push(...rows.map((row) => row.term));
    for (const { doc } of rows) channels += doc;
    if (all.length > EXPANSION || channels > PLACES) return null;
    // Where nothing begins so, what is asked for is what no text holds, for every text ends in blanks.
    if (rows.length < FEW) return { trigrams: all.length > 0 ? all : ["\u0001\u0001\u0001"], channels };
  }
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
