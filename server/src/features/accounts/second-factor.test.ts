import { MINUTE } from "@tandem/contract/durations";
import { codeAt } from "@tandem/testing/account-inputs";
import { cookieOf, type Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { Issuer } from "@tandem/testing/issuer";
import { loopback } from "@tandem/testing/origin";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";
const STEP = 30_000;

describe.each(engines)("two-factor authentication on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let issuer: Issuer;
  const clock = stoppedClock();
  beforeAll(async () => {
    issuer = await Issuer.start();
    tandem = await startTandem(engine, {
      now: clock.now,
      env: { ...loopback, GOOGLE_CLIENT_ID: issuer.clientId, GOOGLE_ISSUER: issuer.url },
    });
  });
  afterAll(async () => {
    await tandem.stop();
    await issuer.stop();
  });

  const logIn = ({ user }: Person, code?: string | null) =>
    tandem.as
      .anonymous()
      .call("logIn", { username: user.username, password, ...(code !== undefined && { code }) });
  const enrol = async (person: Person) => {
    const { secret } = await person.beginTwoFactor({ password });
    const { recoveryCodes } = await person.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    return { secret: String(secret), recoveryCodes: recoveryCodes ?? [] };
  };

  once("is enabled by the first code, and then required at sign-in", async () => {
    const ada = await tandem.as.human();
    const { secret, uri } = await ada.beginTwoFactor({ password });
    expect(uri).toMatch(new RegExp(`^otpauth://totp/Tandem:${ada.user.username}\\?.*secret=${secret}`));
    expect((await logIn(ada)).status).toBe(200);
    const wrong = await ada.call("confirmTwoFactor", { code: "000000" });
    expect([wrong.status, wrong.body.field]).toEqual([403, "code"]);
    const { recoveryCodes } = await ada.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await ada.readSecurity()).security).toMatchObject({ twoFactor: true, recoveryCodesLeft: 10 });
    for (const code of [undefined, null, "000000", "x", codeAt(String(secret), clock.now() + 10 * STEP)]) {
      const { status, body, headers } = await logIn(ada, code);
      expect([status, body.code, body.field]).toEqual([401, "second_factor_required", "code"]);
      expect(headers.getSetCookie()).toEqual([]);
    }
    clock.pass(STEP);
    expect((await logIn(ada, codeAt(String(secret), clock.now()))).status).toBe(200);
  });

  test("accepts a code once, even concurrently", async () => {
    const ada = await tandem.as.human();
    const { secret } = await enrol(ada);
    expect((await logIn(ada, codeAt(secret, clock.now()))).status).toBe(401);
    clock.pass(STEP);
    const code = codeAt(secret, clock.now());
    const responses = await Promise.all([
      logIn(ada, code),
      logIn(ada, code),
      logIn(ada, ` ${code.slice(0, 3)} ${code.slice(3)}`),
    ]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
    // An earlier code isn't accepted either.
    expect((await logIn(ada, codeAt(secret, clock.now() - STEP))).status).toBe(401);
  });

  once("tolerates clocks that differ by one step", async () => {
    const ada = await tandem.as.human();
    const { secret } = await enrol(ada);
    clock.pass(3 * STEP);
    expect((await logIn(ada, codeAt(secret, clock.now() - 2 * STEP))).status).toBe(401);
    expect((await logIn(ada, codeAt(secret, clock.now() - STEP))).status).toBe(200);
    expect((await logIn(ada, codeAt(secret, clock.now() + STEP))).status).toBe(200);
  });

  test("accepts a recovery code once, however it is typed, for its owner only", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { recoveryCodes } = await enrol(ada);
    await enrol(bob);
    const [firstCode = "", secondCode = ""] = recoveryCodes;
    expect((await logIn(bob, firstCode)).status).toBe(401);
    const typed = firstCode.toLowerCase().replaceAll("-", " ");
    const responses = await Promise.all([logIn(ada, typed), logIn(ada, firstCode)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 401]);
    expect((await logIn(ada, secondCode)).status).toBe(200);
    expect((await ada.readSecurity()).security.recoveryCodesLeft).toBe(8);
    const stored = await tandem.storage.read.selectFrom("recovery_codes").selectAll().execute();
    expect(stored.map(({ hash }) => hash)).not.toContain(secondCode);
  });

  test("is disabled by password and code, and can't be set up again while enabled", async () => {
    const ada = await tandem.as.human();
    const { recoveryCodes } = await enrol(ada);
    const [code = ""] = recoveryCodes;
    expect((await ada.call("beginTwoFactor", { password })).status).toBe(403);
    const end = async (input: object) => {
      const { status, body } = await ada.call("endTwoFactor", input);
      return [status, body.field];
    };
    expect(await end({ code })).toEqual([400, "password"]);
    expect(await end({ password: "a guess", code })).toEqual([403, "password"]);
    expect(await end({ password })).toEqual([400, "code"]);
    expect(await end({ password, code: "000000" })).toEqual([403, "code"]);
    expect(await ada.endTwoFactor({ password, code })).toEqual({ twoFactor: false });
    expect((await logIn(ada)).status).toBe(200);
    expect((await ada.readSecurity()).security).toMatchObject({ twoFactor: false, recoveryCodesLeft: 0 });
  });

  once("creates new recovery codes by password and code, and revokes the old ones", async () => {
    const ada = await tandem.as.human();
    const { secret, recoveryCodes: before } = await enrol(ada);
    const [firstCode = "", secondCode = ""] = before;
    const renew = async (input: object) => {
      const { status, body } = await ada.call("confirmTwoFactor", input);
      return [status, body.field];
    };
    expect(await renew({ code: firstCode })).toEqual([400, "password"]);
    expect(await renew({ code: firstCode, password: "a guess" })).toEqual([403, "password"]);
    expect(await renew({ code: "000000", password })).toEqual([403, "code"]);
    clock.pass(STEP);
    const { recoveryCodes } = await ada.confirmTwoFactor({ code: codeAt(secret, clock.now()), password });
    expect(new Set([...(recoveryCodes ?? []), ...before]).size).toBe(20);
    expect((await logIn(ada, secondCode)).status).toBe(401);
    expect((await logIn(ada, recoveryCodes?.[0])).status).toBe(200);
    // A remaining recovery code works too, and the authenticator's secret stays the same.
    const last = await ada.confirmTwoFactor({ code: String(recoveryCodes?.[1]), password });
    expect(last.recoveryCodes).toHaveLength(10);
    clock.pass(STEP);
    expect((await logIn(ada, codeAt(secret, clock.now()))).status).toBe(200);
  });

  test("asks for a code at a provider sign-in, which can repeat the ID token with the code", async () => {
    const idToken = await issuer.token({ sub: "ada", email: "ada@example.net", email_verified: true });
    const signIn = (token: string, code?: string) =>
      tandem.as.anonymous().call("signInWithGoogle", { idToken: token, ...(code && { code }) });
    const first = await signIn(idToken);
    const ada = tandem.as.with({ cookie: cookieOf(first) });
    const { secret } = await ada.beginTwoFactor();
    await ada.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    clock.pass(STEP);
    const again = await issuer.token({ sub: "ada", email: "ada@example.net", email_verified: true, n: 2 });
    const challenge = await signIn(again);
    expect([challenge.status, challenge.body.code]).toEqual([401, "second_factor_required"]);
    expect((await signIn(again, "000000")).status).toBe(401);
    expect((await signIn(again, codeAt(String(secret), clock.now()))).status).toBe(200);
  });

  test("accepts a recent sign-in instead of a password for an account without one", async () => {
    const idToken = await issuer.token({ sub: "grace", email: "grace@example.net", email_verified: true });
    const signedIn = await tandem.as.anonymous().call("signInWithGoogle", { idToken });
    const grace = tandem.as.with({ cookie: cookieOf(signedIn) });
    expect((await grace.readSecurity()).security).toMatchObject({ hasPassword: false, emailVerified: true });
    clock.pass(15 * MINUTE);
    const stale = await grace.call("deleteAccount");
    expect([stale.status, stale.body.code, stale.body.field]).toEqual([
      403,
      "reauthentication_required",
      "password",
    ]);
    expect((await grace.call("changePassword", { password })).body.field).toBe("currentPassword");
    const again = await issuer.token({
      sub: "grace",
      email: "grace@example.net",
      email_verified: true,
      n: 2,
    });
    const otherClient = tandem.as.with({
      cookie: cookieOf(await tandem.as.anonymous().call("signInWithGoogle", { idToken: again })),
    });
    await otherClient.changePassword({ password });
    await tandem.as.anonymous().logIn({ email: "grace@example.net", password });
  });

  test("throttles guesses from all clients together", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: { TRUST_PROXY: "1", LIMIT_THROTTLES_SECOND_FACTOR_PER_ACCOUNT_LIMIT: "3" },
    });
    const ada = await strict.as.human();
    const { secret } = await ada.beginTwoFactor({ password });
    await ada.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
    clock.pass(STEP);
    const guess = async (code: string, i: number) =>
      (
        await strict.as
          .with({ "x-forwarded-for": `203.0.113.${i}` })
          .call("logIn", { username: ada.user.username, password, code })
      ).status;
    const statuses = await Promise.all([1, 2, 3, 4, 5].map((i) => guess("000000", i)));
    expect(statuses.sort()).toEqual([401, 401, 401, 429, 429]);
    expect(await guess(codeAt(String(secret), clock.now()), 9)).toBe(429);
    clock.pass(900_000);
    expect(await guess(codeAt(String(secret), clock.now()), 9)).toBe(200);
  });
});
