import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { openStorage, temporaryDirectory } from "@tandem/testing/storage";
import Database from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, test, vi } from "vitest";
import { type Db, Overloaded, type Storage } from "../storage.ts";
import { openSqlite } from "./sqlite.ts";
import { Writer } from "./writer.ts";

describe("writes on sqlite", () => {
  const add = (tx: Db, name: string) =>
    tx.insertInto("sources").values({ platform: "rss", name, community: null }).execute();
  const names = async (db: Db) =>
    (await db.selectFrom("sources").select("name").orderBy("id").execute()).map((row) => row.name);
  const original = Database.prototype.exec;
  const outcomes = async (storage: Storage, works: ((tx: Db) => Promise<unknown>)[]) =>
    (await Promise.allSettled(works.map((work) => storage.write(work)))).map((one) =>
      one.status === "fulfilled" ? "done" : String(one.reason.message),
    );

  test("run in order and return what their work returns", async () => {
    await using storage = await openStorage();
    const seen = Array.from({ length: 300 }, (_, i) =>
      storage.write(async (tx) => {
        await add(tx, String(i));
        return (await names(tx)).length;
      }),
    );
    expect(await Promise.all(seen)).toEqual(seen.map((_, i) => i + 1));
    expect(await names(storage.read)).toEqual(seen.map((_, i) => String(i)));
  });

  test("run once if they fail alone", async () => {
    await using storage = await openStorage();
    let runs = 0;
    const fail = async (tx: Db) => {
      runs += 1;
      await add(tx, "undone");
      throw new Error("a change of mind");
    };
    expect(await outcomes(storage, [fail])).toEqual(["a change of mind"]);
    expect([runs, await names(storage.read)]).toEqual([1, []]);
  });

  test("fail alone if SQLite ends their transaction and they ignore it", async () => {
    await using storage = await openStorage();
    const results = await outcomes(storage, [
      // As SQLite does on a full disk.
      (tx) => sql`rollback`.execute(tx),
      (tx) => add(tx, "next"),
    ]);
    expect(results).toEqual([expect.stringContaining("ended the transaction"), "done"]);
    expect(await names(storage.read)).toEqual(["next"]);
  });

  test("that fail are rolled back individually", async () => {
    await using storage = await openStorage();
    const results = await outcomes(storage, [
      (tx) => add(tx, "before"),
      async (tx) => {
        await add(tx, "undone");
        throw new Error("a change of mind");
      },
      (tx) => add(tx, "between"),
      async (tx) => {
        await add(tx, "undone too");
        await tx.insertInto("lives").values({ user_id: 404, title: "x", started_at: 0 }).execute();
      },
      async (tx) => {
        await add(tx, "undone as well");
        await sql`nonsense`.execute(tx);
      },
      (tx) => add(tx, "after"),
    ]);
    expect(results).toEqual([
      "done",
      "a change of mind",
      "done",
      "FOREIGN KEY constraint failed",
      expect.stringContaining("syntax error"),
      "done",
    ]);
    expect(await names(storage.read)).toEqual(["before", "between", "after"]);
  });

  test("run again if one of their batch fails, but not while failures go on", async () => {
    using _ = haveTime();
    await using storage = await openStorage();
    const runs: string[] = [];
    const works = [
      async () => runs.push("first"),
      async () => {
        runs.push("second");
        throw new Error("refused");
      },
    ];
    expect(await outcomes(storage, works)).toEqual(["done", "refused"]);
    expect(runs.splice(0)).toEqual(["first", "second", "first", "second"]);
    expect(await outcomes(storage, works)).toEqual(["done", "refused"]);
    expect(runs).toEqual(["first", "second"]);
  });

  /** Makes time stand still, because a batch accepts no more writes after a while. */
  const haveTime = () => vi.spyOn(performance, "now").mockReturnValue(performance.now());

  /** Writes of which each turn of the event loop brings one, and how many each commit has. */
  async function commitsOf(amount: number, onTurn = () => {}): Promise<number[]> {
    await using storage = await openStorage();
    using exec = vi.spyOn(Database.prototype, "exec");
    let [begun, committed] = [0, 0];
    const commits: number[] = [];
    exec.mockImplementation(function (this: Database.Database, text) {
      if (text === "commit") commits.push(begun - committed);
      if (text === "commit") committed = begun;
      return original.call(this, text);
    });
    const writes: Promise<unknown>[] = [];
    const arrive = () => {
      onTurn();
      if (writes.length + 1 < amount) setImmediate(arrive);
      writes.push(
        storage.write(async (tx) => {
          begun += 1;
          await add(tx, "one");
        }),
      );
    };
    arrive();
    await vi.waitUntil(() => writes.length === amount);
    await Promise.all(writes);
    return commits;
  }

  test("share a commit with those that the next turns bring, until 16 wait", async () => {
    using _ = haveTime();
    expect(await commitsOf(3)).toEqual([3]);
    expect(await commitsOf(20)).toEqual([16, 4]);
  });

  test("don't wait for others for longer than 5 ms", async () => {
    using clock = vi.spyOn(performance, "now").mockReturnValue(0);
    let now = 0;
    const passTime = () => {
      now += 2;
      clock.mockReturnValue(now);
    };
    expect(await commitsOf(6, passTime)).toEqual([4, 2]);
  });

  test("are announced before they begin", async () => {
    await using storage = await openStorage();
    const seen: string[] = [];
    storage.beforeBatch(() => seen.push("batch"));
    await Promise.all(["first", "second"].map((name) => storage.write(async () => seen.push(name))));
    expect(seen).toEqual(["batch", "first", "second"]);
  });

  test("are visible and acknowledged only after the commit", async () => {
    await using storage = await openStorage();
    const during: string[][] = [];
    await storage.write(async (tx) => {
      await add(tx, "new");
      during.push(await names(storage.read), await names(tx));
    });
    expect(during).toEqual([[], ["new"]]);
    expect(await names(storage.read)).toEqual(["new"]);
  });

  test("aren't possible on the read connection", async () => {
    await using storage = await openStorage();
    await expect(add(storage.read, "sneaked in")).rejects.toThrow(/readonly/);
  });

  test("all fail if their shared commit fails, and later ones succeed", async () => {
    using _ = haveTime();
    await using storage = await openStorage();
    const results = await outcomes(storage, [
      (tx) => add(tx, "shares the fate"),
      async (tx) => {
        await sql`pragma defer_foreign_keys = on`.execute(tx);
        await tx.insertInto("lives").values({ user_id: 404, title: "x", started_at: 0 }).execute();
      },
    ]);
    expect(results).toEqual(["FOREIGN KEY constraint failed", "FOREIGN KEY constraint failed"]);
    await storage.write((tx) => add(tx, "goes on"));
    expect(await names(storage.read)).toEqual(["goes on"]);
  });

  test("beyond the queue's limit fail immediately, and the others succeed", async () => {
    await using storage = await openStorage();
    let done = 0;
    const writes = Array.from({ length: 10_005 }, () =>
      storage.write(async () => {
        done += 1;
      }),
    );
    const results = await Promise.allSettled(writes);
    const refused = results.filter((one) => one.status === "rejected");
    expect(refused.length).toBe(5);
    for (const { reason } of refused) expect(reason).toBeInstanceOf(Overloaded);
    expect(done).toBe(10_000);
  });

  test("that are slow and many don't block reads", async () => {
    await using storage = await openStorage();
    const slow = async () => {
      for (const end = performance.now() + 5; performance.now() < end; );
    };
    let [done, doneAtLastTurn, mostPerTurn] = [0, 0, 0];
    const turn = () => {
      mostPerTurn = Math.max(mostPerTurn, done - doneAtLastTurn);
      doneAtLastTurn = done;
    };
    const timer = setInterval(turn, 1);
    const write = () =>
      storage.write(async () => {
        await slow();
        done += 1;
      });
    await Promise.all(Array.from({ length: 120 }, write));
    clearInterval(timer);
    turn();
    expect(done).toBe(120);
    // A read runs after a few writes, not after all of them.
    expect(mostPerTurn).toBeLessThan(40);
  });

  test("that arrive at the very end of a batch run too", async () => {
    await using storage = await openStorage();
    let done = 0;
    const count = async () => {
      done += 1;
    };
    for (let ticks = 0; ticks < 40; ticks++) {
      let late: Promise<void> | undefined;
      await storage.write(async () => {
        queueMicrotask(async () => {
          for (let i = 0; i < ticks; i++) await null;
          late = storage.write(count);
        });
      });
      await setTimeout(1);
      await late;
    }
    expect(done).toBe(40);
  });

  test("all fail if even the rollback fails, and later ones succeed", async () => {
    using _ = haveTime();
    const database = new Database(":memory:");
    const writer = new Writer(database, null);
    let broken = true;
    const exec = database.exec.bind(database);
    database.exec = (statement) => {
      if (broken && /^(commit|rollback)/.test(statement)) throw new Error(`no ${statement}`);
      return exec(statement);
    };
    const both = await Promise.allSettled([1, 2].map((n) => writer.write(async () => n)));
    expect(both.map((one) => one.status === "rejected" && one.reason.message)).toEqual([
      "no commit",
      "no commit",
    ]);
    broken = false;
    expect(await writer.write(async () => "done")).toBe("done");
    await writer.idle();
  });

  test("complete before the storage closes", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "tandem.db");
    const storage = await openSqlite(file);
    const writes = Array.from({ length: 300 }, (_, i) => storage.write((tx) => add(tx, String(i))));
    await storage.close();
    await Promise.all(writes);
    const again = await openSqlite(file);
    expect(await names(again.read)).toHaveLength(300);
    await again.close();
  });
});
