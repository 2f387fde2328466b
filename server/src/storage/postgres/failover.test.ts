import { once } from "node:events";
import { createDatabase, type TestDatabase } from "@tandem/testing/postgres";
import { startTandem } from "@tandem/testing/tandem";
import { startTcpProxy } from "@tandem/testing/tcp-proxy";
import { sql } from "kysely";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, Overloaded, type Storage } from "../storage.ts";
import { openPostgres } from "./postgres.ts";

/** The statement timeout here, in milliseconds; a statement that hangs ends well before twice that. */
const timeout = 500;
const BOUND = 5000;

let database: TestDatabase;
/** A separate connection to the same database. */
let administrator: pg.Client;
beforeEach(async () => {
  database = await createDatabase();
  administrator = new pg.Client(database.url);
  administrator.on("error", () => {});
  await administrator.connect();
});
afterEach(async () => {
  await administrator.end();
  await database[Symbol.asyncDispose]();
});

describe("a primary that becomes unavailable", () => {
  test("in the middle of a write fails only that write", async () => {
    await using storage = await open();
    const lost = storage.write(async (tx) => {
      await note(tx, "lost");
      await endOthers();
      // The connection ends while no query is running on it.
      await new Promise((heard) => setTimeout(heard, 100));
      await note(tx, "never");
    });
    await expect(lost).rejects.toThrow(Overloaded);
    await storage.write((tx) => note(tx, "kept"));
    expect(await notes(storage)).toEqual(["kept"]);
  });

  test("while statements run fails only those statements", async () => {
    await using storage = await open({ connections: 3 });
    const sleep = (db: Db) => sql`select pg_sleep(60)`.execute(db);
    const requests = Promise.allSettled([sleep(storage.read), storage.write(sleep), storage.write(sleep)]);
    await until(async () => (await others("query like '%pg_sleep%' and state = 'active'")) === 3);
    await endOthers();
    for (const response of await requests)
      expect(response).toMatchObject({ status: "rejected", reason: expect.any(Overloaded) });
    await storage.write((tx) => note(tx, "kept"));
  });

  test("and comes back read-only counts as unavailable until it accepts writes", async () => {
    await using tandem = await startTandem("postgres", {
      env: { DATABASE_URL: database.url, DATABASE_CONNECTIONS: "1" },
    });
    const person = await tandem.as.human();
    const ready = async () => (await fetch(`${tandem.baseUrl}/readyz`)).status;
    await readOnly(true);
    await endOthers();
    const { status, body, headers } = await person.call("createPost", { title: "Refused" });
    expect([status, body.code, headers.get("retry-after")]).toEqual([503, "overloaded", "1"]);
    expect(await ready()).toBe(503);
    expect((await person.listPosts()).posts).toEqual([]);
    // Its connections still work for reads but would keep refusing writes, so they aren't reused.
    await readOnly(false);
    await until(async () => (await person.call("createPost", { title: "Back" })).status === 200, 2);
    expect(await ready()).toBe(200);
    expect((await person.listPosts()).posts.map(({ title }) => title)).toEqual(["Back"]);
  });
});

describe("a primary that stops responding", () => {
  test("fails reads and writes in bounded time, and its connections are closed", async () => {
    await using line = await startTcpProxy(database.url);
    await using storage = await open({ url: line.url, connections: 4 });
    const write = () => storage.write((tx) => note(tx, "hung"));
    await Promise.all([write(), write(), storage.ready(), storage.ready()]);
    line.stall();
    const began = Date.now();
    const responses = await Promise.allSettled([write(), notes(storage), storage.ready(), write(), write()]);
    expect(Date.now() - began).toBeLessThan(BOUND);
    // Each broken connection is noticed by its next user.
    expect(responses.filter(({ status }) => status === "rejected")).toHaveLength(4);
    for (const response of responses)
      if (response.status === "rejected") expect(response.reason).toBeInstanceOf(Overloaded);
    await storage.write((tx) => note(tx, "after"));
    expect(await notes(storage)).toContain("after");
  });

  test("leads to 503 for every request in bounded time", async () => {
    await using line = await startTcpProxy(database.url);
    // So many that a request doesn't come to open another one, which would work.
    const env = { DATABASE_URL: line.url, DATABASE_TIMEOUT: "1", DATABASE_CONNECTIONS: "6" };
    await using tandem = await startTandem("postgres", { env });
    const person = await tandem.as.human();
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => person.listPosts()));
    line.stall();
    const began = Date.now();
    const requests = [person.call("createPost", { title: "?" }), person.call("listPosts")];
    for (const { status } of await Promise.all(requests)) expect(status).toBe(503);
    expect(Date.now() - began).toBeLessThan(BOUND);
  });
});

describe("a service that stops responding in the middle of a write", () => {
  test("holds its locks no longer than the statement timeout", async () => {
    await using line = await startTcpProxy(database.url);
    await using silent = await open({ url: line.url });
    await using storage = await open({ timeout: BOUND });
    await storage.write((tx) => note(tx, "locked"));
    const lock = (tx: Db) => sql`select * from nonces where hash = 'locked' for update`.execute(tx);
    const locked = { by: new EventTarget() };
    const lockTaken = once(locked.by, "locked");
    const hung = silent.write(async (tx) => {
      await lock(tx);
      line.stall();
      locked.by.dispatchEvent(new Event("locked"));
      await note(tx, "lost");
    });
    await Promise.all([lockTaken, expect(hung).rejects.toThrow(Overloaded)]);
    await storage.write(lock);
    expect(await notes(storage)).toEqual(["locked"]);
  });
});

describe("a commit", () => {
  test("without a standby's confirmation is never acknowledged, however the wait ends", async () => {
    await using storage = await open({ timeout: 60_000, waits: true });
    // Listens from the start, because it may fail before the cancel request is answered.
    const write = expect(storage.write((tx) => note(tx, "unsure"))).rejects.toThrow(Overloaded);
    const waiting = "wait_event = 'SyncRep'";
    await until(async () => (await others(waiting)) === 1);
    await administrator.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where ${waiting} and ${mine}`,
    );
    await write;
  });

  test("that waits too long for a standby times out", async () => {
    await using storage = await open({ waits: true });
    const began = Date.now();
    await expect(storage.write((tx) => note(tx, "unsure"))).rejects.toThrow(Overloaded);
    expect(Date.now() - began).toBeLessThan(BOUND);
  });

  test("that turns out to be a rollback fails", async () => {
    await using storage = await open();
    const swallowed = storage.write(async (tx) => {
      await note(tx, "undone");
      await sql`select 1 / 0`.execute(tx).catch(() => {});
    });
    await expect(swallowed).rejects.toThrow(/rolled back/);
    expect(await notes(storage)).toEqual([]);
  });
});

interface Opened {
  url?: string;
  connections?: number;
  timeout?: number;
  /** Turns waiting for a standby on or off; there is no standby. */
  waits?: boolean;
}

async function open({ waits = false, ...options }: Opened = {}): Promise<Storage & AsyncDisposable> {
  if (waits) await administrator.query(`alter database ${nameOf(database)} set synchronous_commit = on`);
  const storage = await openPostgres({
    url: database.url,
    connections: 1,
    prepares: true,
    timeout,
    ...options,
  });
  return { ...storage, [Symbol.asyncDispose]: () => storage.close() };
}

async function note(tx: Db, hash: string): Promise<void> {
  await tx
    .insertInto("nonces")
    .values({ hash, expires_at: 1 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function notes({ read }: Storage): Promise<string[]> {
  return (await read.selectFrom("nonces").select("hash").orderBy("hash").execute()).map(({ hash }) => hash);
}

const mine = "datname = current_database() and pid <> pg_backend_pid()";

async function endOthers(): Promise<void> {
  await administrator.query(`select pg_terminate_backend(pid, 5000) from pg_stat_activity where ${mine}`);
}

async function others(condition: string): Promise<number> {
  const { rows } = await administrator.query(
    `select count(*)::int as n from pg_stat_activity where ${mine} and ${condition}`,
  );
  return rows[0].n;
}

async function readOnly(on: boolean): Promise<void> {
  await administrator.query(`alter database ${nameOf(database)} set default_transaction_read_only = ${on}`);
}

function nameOf({ url }: TestDatabase): string {
  return new URL(url).pathname.slice(1);
}

async function until(met: () => Promise<boolean>, tries = 1000): Promise<void> {
  for (let left = tries; !(await met()); left--)
    if (left === 0) throw new Error("the condition was never met");
}
