import { engines, startTandem } from "@tandem/testing/tandem";
import { blockWrites } from "@tandem/testing/write-lock";
import { expect, test } from "vitest";

test.each(engines)("metrics on %s tell what the service uses up", async (engine) => {
  await using tandem = await startTandem(engine, {
    env: { DATABASE_CONNECTIONS: "1", SOURCE_COMMIT: "c0ffee" },
  });
  await tandem.as.human();
  const metrics = async () => {
    const text = await (await fetch(`${tandem.baseUrl}/metrics`)).text();
    const lines = text.matchAll(/^tandem_((?:database|disk|media|build)_\w+)(?:\{(.*)\})? (\S+)$/gm);
    return Object.fromEntries(
      [...lines].map(([, name = "", labels = "", value]) => [name + labels, Number(value)]),
    );
  };
  const before = await metrics();
  expect(before).toMatchObject({
    [`build_infoversion="1.0.0",commit="c0ffee",node="${process.version}"`]: 1,
    'media_tasksstate="running"': 0,
    'media_tasksstate="waiting"': 0,
    media_oldest_seconds: 0,
  });
  expect(before.database_size_bytes).toBeGreaterThan(100_000);
  expect(before.database_wal_bytes).toBeGreaterThan(0);
  expect(before['disk_free_bytesdirectory="data"']).toBeGreaterThan(0);
  expect(before['disk_size_bytesdirectory="data"']).toBeGreaterThan(
    Number(before['disk_free_bytesdirectory="data"']),
  );
  const { storage } = tandem;
  if (engine === "sqlite") return expect(storage.connections()).toEqual([]);
  const [{ server = "" } = {}] = storage.connections();
  expect(before).toMatchObject({
    [`database_connectionsserver="${server}",state="used"`]: 0,
    [`database_connectionsserver="${server}",state="idle"`]: 1,
    [`database_connections_waitingserver="${server}"`]: 0,
  });
  await using lock = await blockWrites(storage);
  const waiting = storage.write(async () => {});
  expect(storage.connections()).toEqual([{ server, used: 1, idle: 0, waiting: 1 }]);
  await lock.release();
  await waiting;
});
