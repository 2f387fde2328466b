import { openStorage } from "@tandem/testing/storage";
import fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fold, searchTerms } from "../fold.ts";
import type { Db } from "../storage.ts";
import { createTrigramIndex, trigramIndex } from "./search.ts";

const index = trigramIndex("found", { table: "texts", id: "id" });

describe("the trigram index", () => {
  let storage: Awaited<ReturnType<typeof openStorage>>;

  beforeAll(async () => {
    storage = await openStorage();
    await storage.write(async (tx) => {
      await sql`create table texts (id integer primary key, folded text not null)`.execute(tx);
      await createTrigramIndex(tx, "found");
    });
  });
  afterAll(() => storage[Symbol.asyncDispose]());

  /** The ids below a limit that the index finds, and those that a naive search of all texts finds. */
  async function search(db: Db, terms: string[], below: number) {
    const candidates = await index.candidates(db, terms, below);
    const from = candidates ?? sql`(select id from texts where id < ${below})`;
    const indexed = await sql<{
      id: number;
    }>`select id from ${from} as c where ${index.holds(sql`c.id`, terms)}`.execute(db);
    return indexed.rows.map((row) => row.id).sort((a, b) => a - b);
  }

  const replace = (texts: string[]) =>
    storage.write(async (tx) => {
      await index.remove(tx, sql<number>`select id from texts`);
      for (const [id, text] of texts.entries()) await index.put(tx, id + 1, fold(text));
    });

  const naive = (texts: string[], terms: string[], below: number) =>
    texts.flatMap((text, i) =>
      i + 1 < below && terms.every((term) => fold(text).includes(term)) ? [i + 1] : [],
    );

  const awkward = fc.constantFrom(
    "a",
    "b",
    "ß",
    "İ",
    "σ",
    "京",
    "🦆",
    '"',
    "'",
    "%",
    "_",
    "*",
    " ",
    "\n",
    "\u0001",
    "\u{10ffff}",
  );
  const text = fc.oneof(
    fc.string({ unit: awkward, maxLength: 12 }),
    fc.string({ unit: "binary", maxLength: 12 }).map((any) => any.replaceAll("\0", "")),
    fc.string({ unit: "grapheme", maxLength: 12 }),
  );
  const worlds = fc.array(text, { minLength: 1, maxLength: 8 }).chain((texts) =>
    fc.record({
      texts: fc.constant(texts),
      queries: fc.array(queryOf(texts), { minLength: 8, maxLength: 8 }),
    }),
  );

  /** Substrings of the texts, which match something, and arbitrary strings. */
  function queryOf(texts: string[]) {
    const piece = fc
      .tuple(fc.constantFrom(...texts), fc.nat(12), fc.integer({ min: 1, max: 6 }))
      .map(([from, start, length]) => [...from].slice(start, start + length).join(""));
    return fc.array(fc.oneof({ arbitrary: piece, weight: 4 }, { arbitrary: text, weight: 1 }), {
      maxLength: 3,
    });
  }

  test("finds what a naive search finds in any text", async () => {
    await fc.assert(
      fc.asyncProperty(worlds, async ({ texts, queries }) => {
        await replace(texts);
        for (const words of queries) {
          const terms = searchTerms(words.join(" "));
          if (terms.length === 0) continue;
          for (const below of [texts.length + 1, texts.length]) {
            expect(await search(storage.read, terms, below)).toEqual(naive(texts, terms, below));
          }
        }
      }),
      { numRuns: 150, examples: [[{ texts: ["a\u{fffe}"], queries: [["a\u{fffe}"]] }]] },
    );
  });

  test("finds a replaced text by its new words only", async () => {
    await replace(["first words"]);
    await storage.write((tx) => index.put(tx, 1, "SECOND THOUGHTS"));
    expect(await search(storage.read, ["FIRST"], 9)).toEqual([]);
    expect(await search(storage.read, ["THOUGHTS"], 9)).toEqual([1]);
    await storage.write((tx) => index.remove(tx, sql<number>`select 1`));
    expect(await search(storage.read, ["THOUGHTS"], 9)).toEqual([]);
    await storage.write((tx) => index.put(tx, 1, "THIRD"));
    expect(await search(storage.read, ["IR"], 9)).toEqual([1]);
  });

  test("has every text as it was put, and tells which it lacks", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 8 }), async (texts) => {
        await replace(texts);
        const given = texts.map((text, i) => ({ id: i + 1, folded: fold(text) }));
        expect(await index.unindexed(storage.read, given)).toEqual([]);
      }),
      { numRuns: 100 },
    );
    const long = Array.from({ length: 300 }, (_, i) => `word ${i}`).join(" ");
    await replace(["shared words", "shared words", "shared words", long]);
    const given = ["shared words", "shared words", "shared words", long].map((text, i) => ({
      id: i + 1,
      folded: fold(text),
    }));
    await storage.write(async (tx) => {
      await sql`delete from found where rowid in (2, 3)`.execute(tx);
      await sql`insert into found (rowid, text) values (3, 'SHARED WORLD  '), (9, 'STRAY  ')`.execute(tx);
    });
    expect(await index.unindexed(storage.read, given)).toEqual([2, 3]);
    expect((await sql`${index.strays}`.execute(storage.read)).rows).toEqual([{ id: 9 }]);
    await storage.write(async (tx) => {
      await index.remove(tx, sql<number>`${index.strays}`);
      for (const { id, folded } of given) await index.put(tx, id, folded);
    });
    expect(await index.unindexed(storage.read, given)).toEqual([]);
    expect((await sql`${index.strays}`.execute(storage.read)).rows).toEqual([]);
  });

  test("adds many texts like one", async () => {
    await replace([]);
    const added = [1, 2, 3].map((id) => ({ id, folded: `NUMBER ${id}` }));
    await storage.write((tx) => index.add(tx, added));
    expect(await search(storage.read, ["NUMBER"], 9)).toEqual([1, 2, 3]);
    expect(await search(storage.read, ["2"], 9)).toEqual([2]);
  });

  test("skips short common terms and still finds the right texts", async () => {
    const texts = Array.from({ length: 400 }, (_, i) => `a${String.fromCodePoint(0x4e00 + i)}b`);
    await replace(texts);
    expect(await index.candidates(storage.read, ["A"], 999)).toBe(null);
    expect(await search(storage.read, ["A"], 999)).toHaveLength(400);
    expect(await search(storage.read, ["A", "一"], 999)).toEqual([1]);
    expect(await index.candidates(storage.read, ["A", "一"], 999)).not.toBe(null);
  });
});
