import { HOUR, MINUTE } from "@tandem/contract/durations";
import { stoppedClock } from "@tandem/testing/clock";
import { loopback, Origin } from "@tandem/testing/origin";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweep } from "../housekeeping.ts";
import { HostThrottle, type ThrottleOptions } from "./host-throttle.ts";

const { signal } = new AbortController();
const clock = stoppedClock();

describe.each(engines)("requests of several processes on %s", (engine) => {
  let tandem: Tandem;
  let origin: Origin;
  beforeAll(async () => {
    tandem = await startTandem(engine, { env: loopback, now: clock.now });
    origin = await Origin.start();
  });
  afterAll(async () => {
    await tandem.stop();
    await origin[Symbol.asyncDispose]();
  });

  let hosts = 0;
  const newHost = () => `${++hosts}.example.org`;
  const send = (path = "/") => tandem.services.outgoing(origin.url + path);
  /** Two throttles know as little of one another as two processes. */
  const processes = (spacing = 0) => [1, 2].map(() => new HostThrottle(tandem.services, spacing)) as Pair;
  type Pair = [HostThrottle, HostThrottle];
  const claiming: ThrottleOptions = { claim: true, maxWait: 0 };
  /** A release is stored a moment after the response. */
  const patient: ThrottleOptions = { claim: true, maxWait: 20_000 };
  const rowOf = (host: string) =>
    tandem.storage.read.selectFrom("hosts").selectAll().where("host", "=", host).executeTakeFirst();
  const holdElsewhere = (host: string, free_at: number) =>
    tandem.storage.write((tx) =>
      tx
        .insertInto("hosts")
        .values({ host, holder: "elsewhere", free_at })
        .onConflict((conflict) => conflict.column("host").doUpdateSet({ free_at }))
        .execute(),
    );

  test("reach a host one at a time, with the pause in between", async () => {
    const times: [from: number, to: number][] = [];
    const host = newHost();
    const work = async () => {
      const from = performance.now();
      const response = await send();
      times.push([from, performance.now()]);
      return response;
    };
    const runs = processes(60).flatMap((hosts) =>
      [1, 2].map(() => hosts.run(host, signal, work, { claim: true })),
    );
    await Promise.all(runs);
    const gaps = times.slice(1).map(([from], i) => from - (times[i]?.[1] ?? 0));
    expect(gaps).toHaveLength(3);
    // The database counts whole milliseconds.
    expect(Math.min(...gaps)).toBeGreaterThan(58);
  });

  test("wait for a process that died no longer than its claim lasts", async () => {
    const host = newHost();
    const [hosts] = processes();
    await holdElsewhere(host, Date.now() + 20_000);
    const busy = hosts.run(host, signal, send, claiming);
    await expect(busy).rejects.toMatchObject({
      name: "Error",
      wait: expect.toSatisfy((wait) => wait > 0 && wait <= 20_000),
    });
    await holdElsewhere(host, Date.now() - 1);
    expect(await hosts.run(host, signal, send, claiming)).toMatchObject({ status: 404 });
  });

  test("end when the caller gives up, for the caller's reason", async () => {
    const [held, paced] = [newHost(), newHost()];
    const [hosts] = processes(20_000);
    await holdElsewhere(held, Date.now() + 20_000);
    await hosts.run(paced, signal, send);
    for (const [host, options] of [
      [held, patient],
      [paced, {}],
    ] as const)
      await expect(hosts.run(host, AbortSignal.timeout(20), send, options)).rejects.toMatchObject({
        name: "TimeoutError",
      });
  });

  test("don't wait for times beyond any claim, which a clock left that was set back", async () => {
    const host = newHost();
    await holdElsewhere(host, Date.now() + 24 * HOUR);
    expect(await processes()[0].run(host, signal, send, claiming)).toMatchObject({ status: 404 });
  });

  test.each([
    ["429 with seconds", 429, "120", 2 * MINUTE],
    ["429 with a date", 429, () => new Date(clock.now() + MINUTE).toUTCString(), MINUTE],
    ["429 with nonsense", 429, "soon", MINUTE],
    ["503 with too much", 503, "99999999", HOUR],
    ["503 without", 503, undefined, 0],
    ["200 with seconds", 200, "120", 0],
  ] as const)("respect a %s", async (_what, status, header, pause) => {
    const host = newHost();
    const [one, other] = processes();
    const value = typeof header === "function" ? header() : header;
    origin.show("/busy", { status, headers: value === undefined ? {} : { "retry-after": value } });
    await one.run(host, signal, () => send("/busy"), { claim: true });
    const before = origin.requests.length;
    for (const claim of [true, false]) {
      const run = other.run(host, signal, send, { ...patient, claim });
      if (pause === 0) await run;
      else await expect(run).rejects.toMatchObject({ wait: pause });
    }
    expect(origin.requests.length - before).toBe(pause === 0 ? 2 : 0);
    clock.pass(pause);
    expect(await other.run(host, signal, send, patient)).toMatchObject({ status: 404 });
  });

  test("leave nothing behind once a host is idle", async () => {
    const [idle, paused] = [newHost(), newHost()];
    const [hosts] = processes();
    await hosts.run(idle, signal, send, claiming);
    origin.show("/busy", { status: 429, headers: { "retry-after": "120" } });
    await hosts.run(paused, signal, () => send("/busy"), claiming);
    await hosts.released();
    expect(await rowOf(idle)).toMatchObject({ holder: null });
    const pauses = () => tandem.storage.read.selectFrom("pauses").select("receiver").execute();
    await expect
      .poll(async () => {
        await sweep.run(tandem.services, signal);
        return [await rowOf(idle), await pauses()];
      })
      .toEqual([undefined, [{ receiver: paused }]]);
    clock.pass(2 * MINUTE);
    await sweep.run(tandem.services, signal);
    expect(await pauses()).toEqual([]);
  });
});
