import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setImmediate as nextTurn } from "node:timers/promises";
import { temporaryDirectory } from "@tandem/testing/storage";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Storage } from "../storage.ts";
import { openSqlite } from "./sqlite.ts";

describe("reads on sqlite", () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let storage: Storage;
  /** Stands for another process. */
  let other: Database.Database;
  beforeEach(async () => {
    directory = await temporaryDirectory();
    const file = join(directory.path, "tandem.db");
    storage = await openSqlite(file);
    other = new Database(file);
    await storage.write((tx) => sql`create table seen (n integer)`.execute(tx));
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    other.close();
    await storage.close();
    await directory[Symbol.asyncDispose]();
  });

  const seen = async () =>
    (await sql<{ n: number }>`select n from seen order by n`.execute(storage.read)).rows.map(({ n }) => n);

  test("of one turn see one state; own commits at once, those of others in the next turn", async () => {
    // A transaction also ends after some milliseconds, which a busy machine may take here.
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
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
  });

  test("of a request see what another process committed before it arrived", async () => {
    vi.spyOn(performance, "now").mockReturnValue(performance.now());
    const server = createServer(async (_request, response) => {
      storage.freshen();
      response.end(String(await seen()));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    // A transaction that begins in this phase of the event loop outlasts the phase in which requests arrive.
    await nextTurn();
    expect(await seen()).toEqual([]);
    other.exec("insert into seen values (1)");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    expect(await text(socket)).toMatch(/\r\n\r\n1$/);
    server.close();
  });

  test("see new states even in a loop that awaits nothing else", async () => {
    expect(await seen()).toEqual([]);
    other.exec("insert into seen values (1)");
    // Without end if they didn't.
    while ((await seen()).length === 0);
  });

  test("don't keep the log from being shortened", async () => {
    const logs: number[] = [];
    for (let i = 0; i < 30; i++) {
      await storage.write(async (tx) => {
        await sql`insert into seen values (zeroblob(1000000))`.execute(tx);
        await sql`select 1 from users`.execute(storage.read);
      });
      logs.push((await storage.sizes()).log ?? 0);
    }
    // SQLite begins the log again after 4 MB.
    expect(Math.max(...logs)).toBeLessThan(10_000_000);
  });
});
