import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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

test("a request that arrives sees what another process committed before", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "tandem.db");
  const storage = await openSqlite(file);
  const other = new Database(file);
  await storage.write((tx) => sql`create table seen (n integer)`.execute(tx));
  const count = async () => (await sql`select n from seen`.execute(storage.read)).rows.length;
  const server = createServer(async (_request, response) => {
    storage.freshen();
    response.end(String(await count()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  // In this phase, a transaction would last until after the next requests.
  await nextTurn();
  expect(await count()).toBe(0);
  other.exec("insert into seen values (1)");
  socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  expect(await text(socket)).toMatch(/\r\n\r\n1$/);
  server.close();
  other.close();
  await storage.close();
});

test("a loop that awaits only reads doesn't keep one state", async () => {
  await using directory = await temporaryDirectory();
  const file = join(directory.path, "tandem.db");
  const storage = await openSqlite(file);
  const other = new Database(file);
  const version = storage.version();
  other.exec(
    "insert into sources (platform, name, url, enabled, interval_ms, due_at, created_at) values ('rss', 'x', 'x', 1, 1, 1, 1)",
  );
  // Without end if it did.
  while (storage.version() === version) await storage.read.selectFrom("users").select("id").execute();
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
