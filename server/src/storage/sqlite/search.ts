import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import { insertInto } from "../bulk.ts";
import type { TextIndex } from "../search.ts";
import type { Db } from "../storage.ts";

/**
 * A term of one or two characters is looked up as all trigrams that begin with it, unless these are more than
 * MAX_EXPANSION or occur in more than MAX_MATCHES texts: then it is too common to narrow anything down. Counting means
 * reading the index, so trigrams are fetched in pages of EXPANSION_PAGE.
 */
const MAX_EXPANSION = 200;
const MAX_MATCHES = 50_000;
const EXPANSION_PAGE = 10;
/** Only the rarest short terms and this many trigrams of long terms are looked up: more wouldn't narrow down further. */
const SHORT_TERMS = 3;
const TRIGRAMS = 40;
/** Trigrams of a text that are compared with its entry, besides their number. With 16, 20,000 posts take 19 seconds; with 4, 7 seconds. */
const COMPARED = 4;

/** Appended to each text, so that a trigram begins at each of its characters, including the last two. */
const PADDING = "  ";

/**
 * An FTS5 trigram index over a table of folded texts. It stores no positions (`detail=none`), which keeps it small and
 * quick to write, but returns false positives; `holds` filters these out.
 */
export function trigramIndex(index: string, texts: { table: string; id: string }): TextIndex {
  const fts = sql.table(index);
  const indexed = sql.ref(`${index}.rowid`);
  const table = sql.table(texts.table);
  const key = sql.ref(`${texts.table}.${texts.id}`);
  const folded = sql.ref(`${texts.table}.folded`);
  const sizes = sql.table(`${index}_docsize`);
  /** One statement, so that text and index are of one state. */
  async function lacks(db: Db, id: number, text: string): Promise<boolean> {
    const padded = [...text.replace(NONCHARACTERS, "\ufffd"), ...PADDING];
    const match = evenly(trigrams(padded, padded.length), COMPARED).join(" AND ");
    const matches = sql`exists (select 1 from ${fts} where ${fts} match ${match} and ${indexed} = ${integer(id)})`;
    const { rows } = await sql`
      select 1 from ${table} where ${key} = ${id} and ${folded} = ${text} and not (
        exists (select 1 from ${sizes} as s where s.id = ${id} and s.sz = ${varint(padded.length - PADDING.length)})
        and ${match === "" ? sql`1 = 1` : matches}
      )`.execute(db);
    return rows.length > 0;
  }
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
      return sql`(select rowid as id from ${fts} where ${fts} match ${match} and ${indexed} < ${integer(below)})`;
    },
    async unindexed(db, given) {
      const found = await Promise.all(given.map(({ id, folded: text }) => lacks(db, id, text)));
      return given.flatMap(({ id }, i) => (found[i] ? [id] : []));
    },
    strays: sql<number>`select s.id from ${sizes} as s
      where not exists (select 1 from ${table} where ${key} = s.id)`,
  };
}

/**
 * Numbers are bound as reals, and FTS5 ignores a condition that compares `rowid` with one: for `<` SQLite compares again, but
 * the index is read from its end; for `=` every row matches.
 */
function integer(value: number): RawBuilder<number> {
  return sql<number>`cast(${value} as integer)`;
}

/** As FTS5 stores the number of a text's trigrams. */
function varint(value: number): Buffer {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return Buffer.from(groups);
}

function evenly<T>(values: readonly T[], limit: number): T[] {
  const step = Math.max(1, values.length / limit);
  return Array.from({ length: Math.min(values.length, limit) }, (_, i) => values[Math.floor(i * step)] as T);
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

/** FTS5 indexes these as U+FFFD. */
const NONCHARACTERS = /[\ufffe\uffff]/g;

/** An FTS5 query for the trigrams of each term; null if every term is short and too common. */
async function matchExpression(db: Db, index: string, terms: readonly string[]): Promise<string | null> {
  const long = terms.map((term) => [...term]).filter((characters) => characters.length > 2);
  const parts = long.map((characters) =>
    covering(characters, Math.ceil(TRIGRAMS / long.length)).join(" AND "),
  );
  const short: Expansion[] = [];
  for (const term of terms) {
    const expansion = [...term].length < 3 ? await expand(db, index, term) : null;
    if (expansion) short.push(expansion);
  }
  const rarest = short.sort((a, b) => a.matches - b.matches).slice(0, SHORT_TERMS);
  parts.push(...rarest.map((expansion) => expansion.trigrams.map(quoted).join(" OR ")));
  return parts.length > 0 ? parts.map((part) => `(${part})`).join(" AND ") : null;
}

/**
 * Trigrams that together have each character of a term. Those between overlap two of them: looking them up as well takes three times as
 * long and excludes few other texts.
 */
function covering(characters: string[], limit: number): string[] {
  const last = characters.length - 3;
  const starts = Array.from({ length: Math.ceil(last / 3) }, (_, i) => 3 * i);
  return unique([...starts, last].map((start) => characters.slice(start, start + 3).join(""))).slice(
    0,
    limit,
  );
}

function trigrams(characters: string[], limit: number): string[] {
  const all = characters.slice(2).map((_, i) => characters.slice(i, i + 3).join(""));
  return unique(all).slice(0, limit);
}

const unique = (trigrams: readonly string[]): string[] => [...new Set(trigrams)].map(quoted);

interface Expansion {
  trigrams: string[];
  /** In how many texts the trigrams occur, counting a text once for each trigram. */
  matches: number;
}

/** The trigrams in the index that begin with a term of one or two characters; null if it is too common. */
async function expand(db: Db, index: string, term: string): Promise<Expansion | null> {
  const start = term.replace(NONCHARACTERS, "\ufffd");
  const after = start + String.fromCodePoint(0x10ffff).repeat(3);
  const vocabulary = sql.table(`${index}_terms`);
  const all: string[] = [];
  for (let [matches, from] = [0, start]; ; from = `${all.at(-1)}\u0001`) {
    const { rows } = await sql<{ term: string; doc: number }>`
      select term, doc from ${vocabulary} where term >= ${from} and term < ${after} limit ${EXPANSION_PAGE}
    `.execute(db);
    all.push(...rows.map((row) => row.term));
    for (const { doc } of rows) matches += doc;
    if (all.length > MAX_EXPANSION || matches > MAX_MATCHES) return null;
    // If no trigram begins with the term, the query asks for one that no text contains.
    if (rows.length < EXPANSION_PAGE)
      return { trigrams: all.length > 0 ? all : ["\u0001\u0001\u0001"], matches };
  }
}

function quoted(trigram: string): string {
  return `"${trigram.replaceAll('"', '""')}"`;
}
