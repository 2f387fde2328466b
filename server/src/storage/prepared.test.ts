import { openStorage } from "@tandem/testing/storage";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { prepared } from "./prepared.ts";

describe("prepared queries on sqlite", () => {
  test("are compiled once and run with each call's values", async () => {
    await using storage = await openStorage();
    let built = 0;
    const add = prepared<{ a: number; b: number | null }, { sum: number; a: number; one: number }>(
      (db, { a, b }) => {
        built += 1;
        return sql<{
          sum: number;
          a: number;
          one: number;
        }>`select ${a} + ${b} as sum, ${a} as a, ${1} as one`.compile(db);
      },
    );
    expect(await add(storage.read, { a: 1, b: 2 })).toEqual([{ sum: 3, a: 1, one: 1 }]);
    expect(await add(storage.read, { b: 20, a: 10 })).toEqual([{ sum: 30, a: 10, one: 1 }]);
    expect(await add(storage.read, { a: 1, b: null })).toEqual([{ sum: null, a: 1, one: 1 }]);
    expect(await storage.write((tx) => add(tx, { a: 5, b: 5 }))).toEqual([{ sum: 10, a: 5, one: 1 }]);
    expect(built).toBe(1);
  });

  test("return each concurrent call its own result", async () => {
    await using storage = await openStorage();
    const echo = prepared<{ text: string }, { text: string }>((db, { text }) =>
      sql<{ text: string }>`select ${text} as text`.compile(db),
    );
    const texts = Array.from({ length: 100 }, (_, i) => `'; drop table users; -- ${i}`);
    const responses = await Promise.all(texts.map((text) => echo(storage.read, { text })));
    expect(responses.flat()).toEqual(texts.map((text) => ({ text })));
  });
});
