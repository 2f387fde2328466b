import Database from "better-sqlite3";
import { CompiledQuery, Kysely } from "kysely";
import { expect, test, vi } from "vitest";
import { SqliteConnection, sqliteDialect } from "./driver.ts";

test("a statement in use stays prepared while many others run", async () => {
  const database = new Database(":memory:");
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((text: string) => {
    prepared.push(text);
    return prepare(text);
  }) as typeof database.prepare;
  const db = new Kysely({ dialect: sqliteDialect(new SqliteConnection(database)) });
  for (let i = 0; i < 2000; i++) {
    await db.executeQuery(CompiledQuery.raw("select 'in use'"));
    await db.executeQuery(CompiledQuery.raw(`select ${i}`));
  }
  expect(prepared.filter((text) => text === "select 'in use'")).toHaveLength(1);
  database.close();
});

// SQLite 3.54 of better-sqlite3 13.1 and later plans such a statement at each run, at ten times the cost (decision 85). The driver
// shows it: it builds the function that creates a statement's rows whenever SQLite has planned the statement.
test("a statement is planned once, however often it runs", async () => {
  const database = new Database(":memory:");
  database.exec("create table a (id integer primary key, name text unique, b_id integer)");
  database.exec("create table b (id integer primary key, note text)");
  database.exec("insert into a values (1, 'one', 1), (2, 'two', 1); insert into b values (1, 'both')");
  const statement = database.prepare("select a.id, b.note from a join b on b.id = a.b_id where a.name = ?");
  const built = vi.spyOn(globalThis, "Function");
  for (const name of ["one", "two", "one"]) expect(statement.all(name)).toMatchObject([{ note: "both" }]);
  expect(built.mock.calls.length).toBe(1);
  built.mockRestore();
  database.close();
});
