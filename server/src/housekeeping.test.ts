import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { createApp } from "./app.ts";
import { readConfig } from "./config.ts";
import { sweep } from "./housekeeping.ts";

describe.each(engines)("the sweep on %s", (engine) => {
  test("takes what has ended, and a quota's window a minute after that", async () => {
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
    const { house } = createApp({ config, storage, now: () => now });
    await sweep.run(house, new AbortController().signal);
    const windows = await storage.read
      .selectFrom("quota_windows")
      .select("ends_at")
      .orderBy("ends_at")
      .execute();
    const nonces = await storage.read.selectFrom("nonces").select("expires_at").execute();
    expect(windows.map((row) => row.ends_at)).toEqual(ends.slice(1));
    expect(nonces.map((row) => row.expires_at)).toEqual(ends.slice(2));
  });
});
