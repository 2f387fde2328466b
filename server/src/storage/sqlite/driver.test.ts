import Database from "better-sqlite3";
import { CompiledQuery, Kysely } from "kysely";
import { expect, test } from "vitest";
import { sqliteDialect } from "./driver.ts";

test("a statement in use stays prepared while many others run", async () => {
  const database = new Database(":memory:");
  const prepared: string[] = [];
  const prepare = database.prepare.bind(database);
  database.prepare = ((text: string) => {
    prepared.push(text);
    return prepare(text);
  }) as typeof database.prepare;
  const db = new Kysely({ dialect: sqliteDialect(database) });
  for (let i = 0; i < 2000; i++) {
    await db.executeQuery(CompiledQuery.raw("select 'in use'"));
    await db.executeQuery(CompiledQuery.raw(`select ${i}`));
  }
  expect(prepared.filter((text) => text === "select 'in use'")).toHaveLength(1);
  database.close();
});
