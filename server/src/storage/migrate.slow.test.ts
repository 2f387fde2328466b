import { join } from "node:path";
import { startProcessAsIs } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { openSqlite } from "./sqlite/sqlite.ts";

describe("migrations on sqlite", () => {
  const schema = (file: string) => {
    const database = new Database(file, { readonly: true });
    const rows = database.prepare("select type, name, sql from sqlite_master order by type, name").all();
    const steps = database.prepare("select name from kysely_migration order by name").pluck().all();
    database.close();
    return { rows, steps };
  };

  test("migrate an empty database and leave an up-to-date one unchanged", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "deep", "down", "tandem.db");
    const first = await openSqlite(file);
    const lives = await first.read.selectFrom("lives").selectAll().execute();
    await first.write((tx) =>
      tx.insertInto("sources").values({ platform: "rss", name: "A paper", community: null }).execute(),
    );
    await first.close();
    const before = schema(file);
    expect(lives).toEqual([]);
    expect(before.steps).toEqual(before.steps.toSorted());
    expect(before.steps.length).toBeGreaterThan(0);

    const again = await openSqlite(file);
    expect(await again.read.selectFrom("sources").select("name").execute()).toEqual([{ name: "A paper" }]);
    await again.close();
    expect(schema(file)).toEqual(before);
  });

  test("let two services start on the same new database at the same time", async () => {
    await using directory = await temporaryDirectory();
    const [starting, other] = [startProcessAsIs(directory.path), startProcessAsIs(directory.path)];
    await using first = await starting;
    await using second = await other;
    for (const { address } of [first, second]) expect((await fetch(`${address}/api/posts`)).status).toBe(200);
  });

  test("roll back a step that fails", async () => {
    await using directory = await temporaryDirectory();
    const file = join(directory.path, "tandem.db");
    const database = new Database(file);
    database.exec("create table posts (mine text); insert into posts values ('kept')");
    database.close();
    await expect(openSqlite(file)).rejects.toThrow(/posts/);
    const { rows, steps } = schema(file);
    const names = rows.map((row) => (row as { name: string }).name);
    expect(names.filter((name) => !/^(kysely|sqlite)_/.test(name))).toEqual(["posts"]);
    expect(steps).toEqual([]);
  });
});
