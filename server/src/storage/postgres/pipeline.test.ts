import { createDatabase } from "@tandem/testing/postgres";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db, Storage } from "../storage.ts";
import { Pipeline } from "./pipeline.ts";
import { openPool } from "./pool.ts";
import { openPostgres } from "./postgres.ts";

let database: Awaited<ReturnType<typeof createDatabase>>;
let storage: Storage;
beforeAll(async () => {
  database = await createDatabase();
  // One connection, so that each transaction follows another on it.
  storage = await openPostgres({ url: database.url, prepares: true, connections: 1 });
});
afterAll(async () => {
  await storage.close();
  await database[Symbol.asyncDispose]();
});

const count = (tx: Db, day: number, counted = 1) =>
  tx.insertInto("day_counts").values({ day, what: "likes", shard: 0, counted }).execute();
const raise = (tx: Db, day: number) => sql`update day_counts set counted = 2 where day = ${day}`.execute(tx);
const divideByZero = (tx: Db) => sql`select 1 / ${0}`.execute(tx);
const read = async (db: Db, day: number) => {
  const row = await db.selectFrom("day_counts").select("counted").where("day", "=", day).executeTakeFirst();
  return row && Number(row.counted);
};

test("later statements come before the next one and before the commit, in order", async () => {
  const seen = await storage.write(async (tx) => {
    await count(tx.later, 1);
    await raise(tx.later, 1);
    const seen = await read(tx, 1);
    await count(tx.later, 2);
    return seen;
  });
  expect([seen, await read(storage.read, 1), await read(storage.read, 2)]).toEqual([2, 2, 1]);
});

test.each([
  ["followed by another", (tx: Db) => read(tx, 1)],
  ["followed by the commit", async () => {}],
])("a later statement that fails, %s, fails the write with its own error", async (_, next) => {
  const write = storage.write(async (tx) => {
    await count(tx, 3);
    await divideByZero(tx.later);
    await next(tx);
  });
  await expect(write).rejects.toThrow("division by zero");
  expect(await read(storage.read, 3)).toBeUndefined();
});

test("a later statement that conflicts with another transaction makes the write run again", async () => {
  await storage.write((tx) => count(tx, 4));
  let runs = 0;
  await storage.write(async (tx) => {
    runs += 1;
    if (runs === 1) await count(tx.later, 4);
    await count(tx.later, 5);
    await read(tx, 4);
  });
  expect([runs, await read(storage.read, 5)]).toEqual([2, 1]);
});

test("later statements of a write that throws are never sent", async () => {
  const write = storage.write(async (tx) => {
    await count(tx.later, 6);
    throw new Error("changed its mind");
  });
  await expect(write).rejects.toThrow("changed its mind");
  await storage.write((tx) => count(tx, 7));
  expect([await read(storage.read, 6), await read(storage.read, 7)]).toEqual([undefined, 1]);
});

test("a write without any statement succeeds, and so does one that only has later ones", async () => {
  expect(await storage.write(async () => "nothing")).toBe("nothing");
  await storage.write((tx) => count(tx.later, 8));
  expect(await read(storage.read, 8)).toBe(1);
});

test("nothing is written if the transaction can't begin", async () => {
  const pool = openPool({ url: database.url, connections: 1 });
  const client = await pool.connect();
  const pipeline = new Pipeline(client);
  const insert = { text: "insert into day_counts (day, what, shard, counted) values (9, 'likes', 0, 1)" };
  const select = { text: "select 1" };
  for (const [deferred, next] of [
    [[], insert],
    [[insert], select],
    [[], select],
  ] as const) {
    pipeline.begin("begin nothing");
    for (const one of deferred) pipeline.defer(one);
    await expect(pipeline.query(next)).rejects.toThrow("syntax error");
  }
  expect(await read(storage.read, 9)).toBeUndefined();
  client.release();
  await pool.end();
});
