import { createDatabase } from "@tandem/testing/postgres";
import { temporaryDirectory } from "@tandem/testing/storage";
import { startTandem } from "@tandem/testing/tandem";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { readConfig } from "../../config.ts";
import { createSchema } from "../migrate.ts";
import { openReplaceable } from "../open.ts";

test("an upgrade tells PostgreSQL's planner about tables that it has no statistics of", async () => {
  await using directory = await temporaryDirectory();
  await using database = await createDatabase();
  const env = { DATABASE_URL: database.url, DATA_DIR: directory.path };
  const old = await openReplaceable(readConfig(env));
  await old.replace((tx) => createSchema(tx, "0033-proofs-and-ends"));
  await old.close();
  await using upgraded = await startTandem("postgres", { env });
  const { rows } = await sql<{ known: boolean }>`
    select reltuples >= 0 as known from pg_class where relname = 'reposts'`.execute(upgraded.storage.read);
  expect(rows).toEqual([{ known: true }]);
});
