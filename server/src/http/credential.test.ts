import { stoppedClock } from "@tandem/testing/clock";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createApp } from "../app.ts";
import { readConfig } from "../config.ts";

describe("a storage that can't write", () => {
  afterEach(() => void vi.restoreAllMocks());

  const breakDown = ({ storage }: Pick<Tandem, "storage">) =>
    vi.spyOn(storage, "write").mockRejectedValue(new Error("the disk is full"));

  test("still accepts a session that should be extended, and extends it later", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem("sqlite", { now: clock.now });
    const ada = await tandem.as.human("ada");
    clock.passDays(2);
    const broken = breakDown(tandem);
    for (let i = 0; i < 3; i++) {
      const { status, headers } = await ada.call("me");
      expect([status, headers.getSetCookie()]).toEqual([200, []]);
    }
    // The expiry and the last use, each tried once.
    expect(broken).toHaveBeenCalledTimes(2);
    broken.mockRestore();
    clock.pass(60_001);
    expect((await ada.call("me")).headers.getSetCookie()).toHaveLength(1);
  });

  test("still accepts a key, and tries to record its use at most once a minute", async () => {
    const clock = stoppedClock();
    await using tandem = await startTandem("sqlite", { now: clock.now });
    const key = await tandem.as.key();
    const broken = breakDown(tandem);
    for (let minute = 1; minute < 3; minute++) {
      for (let i = 0; i < 3; i++) expect((await key.call("me")).status).toBe(200);
      expect(broken).toHaveBeenCalledTimes(minute);
      clock.pass(60_001);
    }
  });

  test("is logged with its cause", async () => {
    await using tandem = await startTandem();
    const key = await tandem.as.key();
    const lines: string[] = [];
    const logger = { level: "error", stream: { write: (line: string) => void lines.push(line) } };
    const { server } = createApp({ config: readConfig({}), storage: tandem.storage, logger });
    breakDown(tandem);
    await server.inject({ url: "/api/auth/me", headers: { authorization: `Bearer ${key.options.key}` } });
    await server.close();
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ err: { message: "the disk is full" } }]);
  });
});
