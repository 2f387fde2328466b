import { oldestBinaries, startPostgres } from "@tandem/testing/postgres-server";
import { startTandem } from "@tandem/testing/tandem";
import { recordWalkthrough, walkthroughSettings } from "@tandem/testing/walkthrough";
import { expect, test } from "vitest";

/** SQL with effects beyond a transaction, which break behind a transaction pooler. */
const ofSession =
  /pg_(try_)?advisory_(un)?lock(_shared)?\(|set_config\(.*false\)|\b(un)?listen |\btemp(orary)? table|: set (?!local)|\bdeclare |execute (?!<unnamed>|function )/i;

test("the oldest and newest PostgreSQL and SQLite return the same, and use no session state", async () => {
  await using server = await startPostgres({
    binaries: await oldestBinaries(),
    flags: ["-c", "log_statement=all"],
  });
  const oldest = { DATABASE_URL: `${server.url}/postgres`, DATABASE_PREPARES: "0" };
  const tellings = [];
  for (const [engine, env] of [["sqlite"], ["postgres"], ["postgres", oldest]] as const) {
    await using tandem = await startTandem(engine, { env: { ...walkthroughSettings, ...env } });
    tellings.push(await recordWalkthrough(tandem.baseUrl));
  }
  const [sqlite, newest, old] = tellings;
  expect(newest).toEqual(sqlite);
  expect(old).toEqual(sqlite);
  const lines = server.said().split("\n");
  expect(lines.filter((line) => /execute <unnamed>/.test(line)).length).toBeGreaterThan(200);
  expect(lines.filter((line) => ofSession.test(line))).toEqual([]);
});
