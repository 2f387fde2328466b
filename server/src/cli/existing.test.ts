import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { emptyPlace, runCommand } from "@tandem/testing/command";
import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { openExistingPostgres } from "../storage/postgres/existing.ts";

/** Of every command that needs a database, and doesn't begin one. */
const commandLines = [
  ["admin", "ada"],
  ["invite"],
  ["decline-signups"],
  ["audit", "verify"],
  ["log", "show"],
  ["source", "list"],
  ["source", "demo"],
  ["ingest"],
  ["check"],
];

describe.each(engines)("without a database on %s", (engine) => {
  test("commands create none, and say which setting may be wrong", async () => {
    await using place = await emptyPlace(engine);
    const database =
      engine === "postgres" ? await openExistingPostgres(String(place.env.DATABASE_URL)) : null;
    // Tests get one with all tables.
    if (database)
      for (const statement of ["drop schema public cascade", "create schema public"])
        await sql.raw(statement).execute(database.read);
    const problem = database
      ? /^The (configured )?database has no data of Tandem.*\.\n$/
      : /^There is no database .*\/tandem\.db: check DATA_DIR, or start the service once, .*\.\n$/;
    for (const args of [...commandLines, ["migrate", join(place.path, "target")]]) {
      const { code, out, error } = await place.run(...args);
      expect([args, code, out]).toEqual([args, 1, ""]);
      expect(error).toMatch(problem);
    }
    expect(await readdir(place.path)).toEqual([]);
    if (!database) return;
    expect(await database.read.engine.catalog.tables(database.read)).toEqual([]);
    await database.close();
  });
});

test("a file that isn't Tandem's stays as it is", async () => {
  await using directory = await temporaryDirectory();
  const env = { DATA_DIR: directory.path };
  const noDatabase = "something else, and long enough to be no database".repeat(100);
  for (const [content, problem] of [
    ["", /has no data of Tandem: check DATA_DIR/],
    [noDatabase, /is damaged: file is not a database\.\n$/],
  ] as const) {
    await writeFile(join(directory.path, "tandem.db"), content);
    expect(await runCommand(env, "admin", "ada")).toMatchObject({
      code: 1,
      error: expect.stringMatching(problem),
    });
  }
});

test("a database that can't be reached, or doesn't exist, is named in one sentence", async () => {
  await using database = await createDatabase();
  for (const [url, problem] of [
    ["postgres://127.0.0.1:1/none", "connect ECONNREFUSED 127.0.0.1:1"],
    [database.url.replace(/[^/]*$/, "none"), 'database "none" does not exist'],
  ] as const)
    expect(await runCommand({ DATA_DIR: "/nowhere", DATABASE_URL: url }, "admin", "ada")).toEqual({
      code: 1,
      out: "",
      error: `DATABASE_URL can't be used: ${problem}.\n`,
    });
});

test("a restore of a directory says that it is none", async () => {
  await using directory = await temporaryDirectory();
  expect(await runCommand({ DATA_DIR: directory.path }, "restore", directory.path)).toEqual({
    code: 1,
    out: "",
    error: `${directory.path} isn't a file: name the one that \`tandem backup\` wrote.\n`,
  });
});
