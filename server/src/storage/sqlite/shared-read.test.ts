import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { temporaryDirectory } from "@tandem/testing/storage";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { openSqlite } from "./sqlite.ts";

test("reads of one turn see one state; own commits at once, those of others in the next turn", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "tandem.db");
  const storage = await openSqlite(file);
  const other = new Database(file);
  await storage.write((tx) => sql`create table seen (n integer)`.execute(tx));
  const seen = async () =>
    (await sql<{ n: number }>`select n from seen order by n`.execute(storage.read)).rows.map(({ n }) => n);
  const version = storage.version();

  expect(await seen()).toEqual([]);
  other.exec("insert into seen values (1)");
  expect(await seen()).toEqual([]);
  expect(storage.version()).toBe(version);
  await nextTurn();
  expect(await seen()).toEqual([1]);
  expect(storage.version()).not.toBe(version);

  await storage.write(async (tx) => {
    await sql`insert into seen values (2)`.execute(tx);
    // Another request reads while the write runs.
    expect(await seen()).toEqual([1]);
  });
  expect(await seen()).toEqual([1, 2]);
  other.close();
  await storage.close();
});

test("reads don't keep the log from being shortened", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "tandem.db");
  const storage = await openSqlite(file);
  await storage.write((tx) => sql`create table filled (text text)`.execute(tx));
  const logs: number[] = [];
  for (let i = 0; i < 30; i++) {
    await storage.write(async (tx) => {
      await sql`insert into filled values (zeroblob(1000000))`.execute(tx);
      await sql`select 1 from users`.execute(storage.read);
    });
    logs.push((await storage.sizes()).log ?? 0);
  }
  // SQLite begins the log again after 4 MB.
  expect(Math.max(...logs)).toBeLessThan(10_000_000);
  await storage.close();
});
