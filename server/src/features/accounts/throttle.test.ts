import { stoppedClock } from "@tandem/testing/clock";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";

const env = {
  LIMIT_THROTTLES_LOGIN_PER_ACCOUNT_LIMIT: "4",
  LIMIT_THROTTLES_LOGIN_PER_ADDRESS_LIMIT: "6",
  LIMIT_THROTTLES_SIGNUP_PER_ADDRESS_LIMIT: "2",
};

describe.each(engines)("guessing on %s", (engine) => {
  const clock = stoppedClock();
  const start = (more = {}) => startTandem(engine, { env: { ...env, ...more }, now: clock.now });

  /** A log-in that fails unless the password is given; from an address, as a proxy tells it. */
  const logIn = async ({ as }: Tandem, username: string, from?: string, password = "a guess") => {
    const { status, body, headers } = await as
      .with(from === undefined ? {} : { "x-forwarded-for": from })
      .call("logIn", { username, password });
    return [status, body.code ?? headers.getSetCookie().length, headers.get("retry-after")];
  };
  const wrong = [401, "unauthorized", null];
  const slowed = [429, "rate_limited", "900"];

  test("attempts in parallel don't slip by the limit of an account", async () => {
    await using tandem = await start();
    const { user } = await tandem.as.human();
    const answers = await Promise.all(Array.from({ length: 12 }, () => logIn(tandem, user.username)));
    expect(answers.sort()).toEqual([...Array(4).fill(wrong), ...Array(8).fill(slowed)]);
  });

  test("a good log-in is no guess, and unknown names are slowed like known ones", async () => {
    await using tandem = await start();
    const { user, password } = await tandem.as.human();
    for (let i = 0; i < 6; i++)
      expect((await logIn(tandem, user.username, undefined, password))[0]).toBe(200);
    for (let i = 0; i < 4; i++) expect(await logIn(tandem, "nobody-at-all")).toEqual(wrong);
    expect(await logIn(tandem, "Nobody-At-All")).toEqual(slowed);
  });

  test("a dry run is a guess like any other", async () => {
    await using tandem = await start();
    const { user } = await tandem.as.human();
    const guess = () =>
      tandem.as.anonymous().call("logIn", { username: user.username, password: "x" }, { dryRun: true });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await guess()).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });

  test("nobody on this machine is slowed by address alone, whatever they say of theirs", async () => {
    await using tandem = await start();
    for (let i = 0; i < 8; i++) expect(await logIn(tandem, `nobody${i}`, "203.0.113.9")).toEqual(wrong);
    for (let i = 0; i < 4; i++) await tandem.as.human();
  });

  test("behind a proxy that is believed, an address is slowed for all accounts", async () => {
    await using tandem = await start({ TRUST_PROXY: "1" });
    for (let i = 0; i < 6; i++) expect(await logIn(tandem, `nobody${i}`, "203.0.113.9")).toEqual(wrong);
    expect(await logIn(tandem, "nobody6", "203.0.113.9")).toEqual(slowed);
    // What the client itself put in the header is not believed.
    expect(await logIn(tandem, "nobody6", "198.51.100.1, 203.0.113.9")).toEqual(slowed);
    expect(await logIn(tandem, "nobody6", "::ffff:203.0.113.9")).toEqual(slowed);
    expect(await logIn(tandem, "nobody6", "203.0.113.10")).toEqual(wrong);
    for (const loopback of ["127.0.0.1", "127.8.8.8", "::1", "not an address"])
      for (let i = 0; i < 3; i++)
        expect(await logIn(tandem, `nobody${loopback}${i}`, loopback)).toEqual(wrong);
    clock.pass(900_000);
    expect(await logIn(tandem, "nobody6", "203.0.113.9")).toEqual(wrong);
  });

  test("the addresses of one IPv6 customer count as one", async () => {
    await using tandem = await start({ TRUST_PROXY: "1" });
    for (let i = 0; i < 6; i++) expect(await logIn(tandem, `nobody${i}`, `2001:db8::${i}`)).toEqual(wrong);
    expect(await logIn(tandem, "nobody6", "2001:db8::ffff:1:2:3")).toEqual(slowed);
    expect(await logIn(tandem, "nobody6", "2001:db8:0:1::1")).toEqual(wrong);
  });

  test("an address opens so many accounts an hour", async () => {
    await using tandem = await start({ TRUST_PROXY: "1" });
    const signUp = async (username: string, from: string) => {
      const input = { username, email: `${username}@example.org`, password: "correct horse" };
      const { status, headers } = await tandem.as.with({ "x-forwarded-for": from }).call("signUp", input);
      return [status, headers.get("retry-after")];
    };
    expect(await signUp("one", "203.0.113.9")).toEqual([200, null]);
    expect(await signUp("one", "203.0.113.9")).toEqual([400, null]);
    expect(await signUp("two", "203.0.113.9")).toEqual([200, null]);
    expect(await signUp("three", "203.0.113.9")).toEqual([429, "3600"]);
    expect(await signUp("three", "203.0.113.10")).toEqual([200, null]);
    clock.pass(3_600_000);
    expect(await signUp("four", "203.0.113.9")).toEqual([200, null]);
  });
});
