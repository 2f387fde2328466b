import { HOUR } from "@tandem/contract/durations";
import { deviceCookieOf, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe.each(engines)("throttling by address on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  const clock = stoppedClock();
  const password = "correct horse";

  beforeAll(async () => {
    tandem = await startTandem(engine, {
      now: clock.now,
      env: {
        TRUST_PROXY: "1",
        LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_AND_ADDRESS_LIMIT: "3",
        LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_LIMIT: "6",
        LIMIT_THROTTLES_LOGIN_PER_ADDRESS_LIMIT: "4",
        LIMIT_THROTTLES_SIGNUP_PER_ADDRESS_LIMIT: "2",
      },
    });
    await tandem.as.human("ada");
  });
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("quota_windows").execute()));
  afterAll(() => tandem.stop());

  const from = (address?: string) => tandem.as.with(address ? { "x-forwarded-for": address } : {});
  const guess = async (address?: string) =>
    (await from(address).call("logIn", { username: uniqueName("guess"), password: "a guess" })).status;
  const logIn = (address: string | undefined, word: string) =>
    from(address).call("logIn", { username: "ada", password: word });
  const signUp = (address?: string, username = uniqueName("newcomer")) =>
    from(address).call("signUp", { username, email: `${username}@example.org`, password });

  once("throttles guesses from one address, at whichever account", async () => {
    const address = "203.0.113.5";
    for (let i = 0; i < 4; i++) expect(await guess(address)).toBe(401);
    expect(await guess(address)).toBe(429);
    expect(await guess(`::ffff:${address}`)).toBe(429);
    expect(await guess("203.0.113.6")).toBe(401);
    clock.pass(900_000);
    expect(await guess(address)).toBe(401);
  });

  test("throttles parallel guesses too", async () => {
    const statuses = await Promise.all(Array.from({ length: 8 }, () => guess("203.0.113.5")));
    expect(statuses.toSorted()).toEqual([401, 401, 401, 401, 429, 429, 429, 429]);
  });

  once("counts an IPv6 /64 as one address", async () => {
    const network = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::2", "2001:db8:1:2:0:1:0:3", "2001:db8:1:2::4"];
    for (const address of network) expect(await guess(address)).toBe(401);
    expect(await guess("2001:db8:1:2:5::")).toBe(429);
    expect(await guess("2001:db8:1:3::1")).toBe(401);
  });

  once("doesn't count a success", async () => {
    for (let i = 0; i < 8; i++) expect((await logIn("203.0.113.5", password)).status).toBe(200);
  });

  once("doesn't lock the owner out for others' guesses, but limits all of them together", async () => {
    const fail = async (address?: string) => (await logIn(address, "a guess")).status;
    for (let i = 0; i < 3; i++) expect(await fail("203.0.113.50")).toBe(401);
    expect(await fail("203.0.113.50")).toBe(429);
    expect((await logIn("203.0.113.50", password)).status).toBe(429);
    expect((await logIn("198.51.100.1", password)).status).toBe(200);
    expect((await logIn(undefined, password)).status).toBe(200);
    for (let i = 0; i < 3; i++) expect(await fail(`192.0.2.${i}`)).toBe(401);
    const { status, body } = await logIn("198.51.100.2", password);
    expect([status, body.error]).toEqual([429, "Too many failed logins; try again in 15 minutes (900 s)."]);
  });

  test("keeps devices and networks open that have logged in, whatever others guess", async () => {
    const username = uniqueName("owner");
    const bob = await tandem.as.human(username);
    const attempt = async (address: string | undefined, word: string, cookie = "") => {
      const headers = { ...(address && { "x-forwarded-for": address }), ...(cookie && { cookie }) };
      return tandem.as.with(headers).call("logIn", { username, password: word });
    };
    const status = async (...input: Parameters<typeof attempt>) => (await attempt(...input)).status;
    const device = deviceCookieOf(await attempt("2001:db8:1::1", password));
    // A device that another account logged in with isn't one of this account.
    const eves = deviceCookieOf(await logIn("2001:db8:9::1", password));
    for (let i = 0; i < 6; i++) expect(await status(`2001:db8:2:${i}::1`, "a guess")).toBe(401);
    for (const cookie of ["", eves, `tandem_device=${"a".repeat(32)}`, "tandem_device=%00"])
      expect(await status("2001:db8:3::1", password, cookie)).toBe(429);
    // The network that it signed up from, the one that it logged in from, and the device from anywhere.
    expect(await status(undefined, password)).toBe(200);
    expect(await status("2001:db8:1::2", password)).toBe(200);
    expect(await status("2001:db8:3::1", password, device)).toBe(200);
    // Guesses with a known device count for that device.
    const guesses = [1, 2, 3, 4].map((i) => status(`2001:db8:4:${i}::1`, "a guess", device));
    expect((await Promise.all(guesses)).toSorted()).toEqual([401, 401, 401, 429]);
    expect(await status("2001:db8:1::2", password)).toBe(200);
    const rows = await tandem.storage.read.selectFrom("known_places").selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(device.split("=")[1]);
    expect(rows.filter((row) => row.user_id === bob.user.id).length).toBeGreaterThan(2);
  });

  test.each([
    ["203.0.113.5:4711", "203.0.113.5:4712", "203.0.113.5"],
    ["[2001:db8:5::1]:4711", "[2001:db8:5::2]", "2001:db8:5::3"],
    ["unknown", "unknown", "_hidden"],
  ])("counts an address with a port, in brackets or unknown as what it is: %s", async (...addresses) => {
    for (const address of [...addresses, addresses[0]]) expect(await guess(address)).toBe(401);
    expect(await guess(addresses[0])).toBe(429);
  });

  once("returns the longest wait if several limits are exceeded", async () => {
    for (let i = 0; i < 6; i++) await logIn(`192.0.2.${i}`, "a guess");
    clock.pass(300_000);
    for (let i = 0; i < 4; i++) await guess("203.0.113.5");
    const { status, headers } = await logIn("203.0.113.5", "a guess");
    expect([status, headers.get("retry-after")]).toEqual([429, "900"]);
  });

  once("throttles guesses from loopback addresses per account", async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await logIn(undefined, "a guess")).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  once("limits sign-ups per address and hour", async () => {
    const address = "203.0.113.5";
    expect([(await signUp(address)).status, (await signUp(address)).status]).toEqual([200, 200]);
    const { status, body, headers } = await signUp(address, "refused");
    expect([status, body.code, headers.get("retry-after")]).toEqual([429, "rate_limited", "3600"]);
    expect(body.error).toBe("Too many sign-ups; try again in 60 minutes (3600 s).");
    expect((await signUp("203.0.113.6", "refused")).status).toBe(200);
    clock.pass(HOUR);
    expect((await signUp(address)).status).toBe(200);
  });

  once("counts failed sign-ups and dry runs", async () => {
    const input = { username: uniqueName("dry"), email: "dry@example.org", password };
    const dry = await from("203.0.113.5").call("signUp", input, { dryRun: true });
    expect([dry.status, (await signUp("203.0.113.5", "ADA")).status]).toEqual([200, 400]);
    expect((await signUp("203.0.113.5", "ADA")).status).toBe(429);
    expect((await from("203.0.113.5").call("signUp", input, { dryRun: true })).status).toBe(429);
  });

  test("never throttles loopback addresses by address alone", async () => {
    for (const address of [undefined, "127.0.0.1", "::1", "127.8.9.10"]) {
      const statuses = await Promise.all(Array.from({ length: 5 }, () => guess(address)));
      expect(statuses).toEqual([401, 401, 401, 401, 401]);
      const opened = await Promise.all([signUp(address), signUp(address), signUp(address)]);
      expect(opened.map(({ status }) => status)).toEqual([200, 200, 200]);
    }
  });
});
