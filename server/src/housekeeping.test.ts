import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { sweep, sweepOut } from "./housekeeping.ts";
import { insertRows } from "./storage/bulk.ts";

describe.each(engines)("deleting expired rows on %s", (engine) => {
  test("deletes expired rows, and quota windows a minute later", async () => {
    await using tandem = await startTandem(engine);
    const { storage } = tandem;
    const now = Date.now();
    const ends = [now - 60_000, now - 59_999, now + 1];
    await storage.write(async (tx) => {
      for (const at of ends) {
        await tx
          .insertInto("quota_windows")
          .values({ holder: `key:${at}`, quota: "writes", started_at: at - 60_000, used: 1, ends_at: at })
          .execute();
        await tx
          .insertInto("nonces")
          .values({ hash: String(at), expires_at: at })
          .execute();
      }
    });
    const config = readConfig({ LOG_LEVEL: "silent" });
    const { services } = createApp({ config, storage, now: () => now });
    await sweep.run(services, new AbortController().signal);
    const windows = await storage.read
      .selectFrom("quota_windows")
      .select("ends_at")
      .orderBy("ends_at")
      .execute();
    const nonces = await storage.read.selectFrom("nonces").select("expires_at").execute();
    expect(windows.map((row) => row.ends_at)).toEqual(ends.slice(1));
    expect(nonces.map((row) => row.expires_at)).toEqual(ends.slice(2));
  });

  test("deletes a declined friend request when its waiting period ends", async () => {
    await using tandem = await startTandem(engine);
    const { storage } = tandem;
    const [ada, bob] = await Promise.all([tandem.as.human(), tandem.as.human()]);
    const [one, other] = [ada.user.id, bob.user.id];
    const now = Date.now();
    await storage.write((tx) =>
      insertRows(tx, "friend_declines", [
        { from_id: one, to_id: other, ends_at: now },
        { from_id: other, to_id: one, ends_at: now + 1 },
      ]),
    );
    const { services } = createApp({ config: readConfig({ LOG_LEVEL: "silent" }), storage, now: () => now });
    await sweep.run(services, new AbortController().signal);
    const left = await storage.read.selectFrom("friend_declines").select("from_id").execute();
    expect(left).toEqual([{ from_id: other }]);
  });

  test("deletes in batches until none is left, and stops between batches if aborted", async () => {
    await using tandem = await startTandem(engine);
    const { storage } = tandem;
    await storage.write(async (tx) => {
      for (let i = 0; i < 7; i++) {
        const window = { holder: `key:${i >> 1}`, quota: `${i & 1}`, started_at: 0, used: 1, ends_at: 1 };
        await tx.insertInto("quota_windows").values(window).execute();
        await tx
          .insertInto("nonces")
          .values({ hash: `${i}`, expires_at: 1 })
          .execute();
        const record = {
          holder: `key:${i >> 1}`,
          key: `${i & 1}`,
          fingerprint: "",
          answer: "",
          created_at: 1,
        };
        await tx.insertInto("idempotency").values(record).execute();
      }
    });
    const { services } = createApp({ config: readConfig({ LOG_LEVEL: "silent" }), storage });
    const left = async () => {
      const tables = ["quota_windows", "nonces", "idempotency"] as const;
      const rows = tables.map((table) => storage.read.selectFrom(table).selectAll().execute());
      return (await Promise.all(rows)).map(({ length }) => length);
    };
    const stopping = new AbortController();
    let writes = 0;
    const write: typeof storage.write = async (work) => {
      writes += 1;
      if (writes === 3) stopping.abort();
      return storage.write(work);
    };
    await sweepOut({ ...services, storage: { ...storage, write } }, stopping.signal, 3);
    expect([writes, await left()]).toEqual([3, [1, 7, 7]]);
    await sweepOut(services, new AbortController().signal, 3);
    expect(await left()).toEqual([0, 0, 0]);
  });
});
