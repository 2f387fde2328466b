import { fresh } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("throttling by address on %s", (engine) => {
  let tandem: Tandem;
  const clock = stoppedClock();
  const password = "correct horse";

  beforeAll(async () => {
    tandem = await startTandem(engine, {
      now: clock.now,
      env: {
        TRUST_PROXY: "1",
        LIMIT_THROTTLES_LOGIN_PER_ADDRESS_LIMIT: "2",
        LIMIT_THROTTLES_SIGNUP_PER_ADDRESS_LIMIT: "2",
      },
    });
    await tandem.as.human("ada");
  });
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("quota_windows").execute()));
  afterAll(() => tandem.stop());

  const from = (address?: string) => tandem.as.with(address ? { "x-forwarded-for": address } : {});
  const guess = async (address?: string) =>
    (await from(address).call("logIn", { username: fresh("anybody"), password: "a guess" })).status;
  const signUp = (address?: string, username = fresh("newcomer")) =>
    from(address).call("signUp", { username, email: `${username}@example.org`, password });

  test("guesses from one address are slowed down, whomever they are about", async () => {
    const address = "203.0.113.5";
    expect([await guess(address), await guess(address), await guess(address)]).toEqual([401, 401, 429]);
    expect(await guess(`::ffff:${address}`)).toBe(429);
    expect(await guess("203.0.113.6")).toBe(401);
    clock.pass(900_000);
    expect(await guess(address)).toBe(401);
  });

  test("guesses in parallel don't slip by", async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, () => guess("203.0.113.5")));
    expect(statuses.toSorted()).toEqual([401, 401, 429, 429, 429, 429, 429, 429]);
  });

  test("an IPv6 customer's whole network is one address", async () => {
    const network = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2:0:1:0:3"];
    expect([await guess(network[0]), await guess(network[1]), await guess(network[2])]).toEqual([
      401, 401, 429,
    ]);
    expect(await guess("2001:db8:1:3::1")).toBe(401);
  });

  test("a success is no guess", async () => {
    for (let i = 0; i < 4; i++) {
      const { status } = await from("203.0.113.5").call("logIn", { username: "ada", password });
      expect(status).toBe(200);
    }
  });

  test("an address opens some accounts an hour; attempts that failed don't count", async () => {
    const address = "203.0.113.5";
    for (let i = 0; i < 4; i++) expect((await signUp(address, "ADA")).status).toBe(400);
    expect([(await signUp(address)).status, (await signUp(address)).status]).toEqual([200, 200]);
    const { status, body, headers } = await signUp(address, "refused");
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "3600"]);
    expect((await signUp("203.0.113.6", "refused")).status).toBe(200);
    clock.pass(3_600_000);
    expect((await signUp(address)).status).toBe(200);
  });

  test("this machine itself is never slowed down by its address alone", async () => {
    for (const address of [undefined, "127.0.0.1", "::1", "127.8.9.10"]) {
      const statuses = await Promise.all([guess(address), guess(address), guess(address)]);
      expect(statuses).toEqual([401, 401, 401]);
      const opened = await Promise.all([signUp(address), signUp(address), signUp(address)]);
      expect(opened.map((one) => one.status)).toEqual([200, 200, 200]);
    }
  });
});
