import { oldestBinaries, startPostgres } from "@tandem/testing/postgres-server";
import { startTandem } from "@tandem/testing/tandem";
import { recordWalkthrough, walkthroughSettings } from "@tandem/testing/walkthrough";
import { expect, test } from "vitest";

/** What lives longer than a transaction, and would be lost or left behind where connections are lent. */
const ofSession =
  /pg_(try_)?advisory_(un)?lock(_shared)?\(|set_config\(.*false\)|\b(un)?listen |\btemp(orary)? table|: set (?!local)|\bdeclare |execute (?!<unnamed>|function )/i;

test("the oldest PostgreSQL, the newest and SQLite answer alike, and keep nothing in a session", async () => {
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
  const said = server.said().split("\n");
  expect(said.filter((line) => /execute <unnamed>/.test(line)).length).toBeGreaterThan(200);
  expect(said.filter((line) => ofSession.test(line))).toEqual([]);
});
