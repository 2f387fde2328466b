import { codeAt } from "@tandem/testing/account-inputs";
import { Authenticator, siteOf } from "@tandem/testing/authenticator";
import { cookieOf, type Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const better = "battery staple";

describe("what opens an account", () => {
  let tandem: Tandem;
  let mailServer: MailServer;
  const clock = stoppedClock();
  beforeAll(async () => {
    mailServer = await MailServer.start();
    tandem = await startTandem("sqlite", { now: clock.now, env: mailServer.env });
  });
  afterAll(async () => {
    await tandem.stop();
    await mailServer[Symbol.asyncDispose]();
  });

  const anonymous = () => tandem.as.anonymous();
  const site = () => siteOf(tandem.baseUrl);
  const tokenIn = async ({ user }: Person, subject: RegExp) =>
    (await mailServer.mailTo(user.email, subject)).token;
  const confirm = async (person: Person) => person.confirmEmail({ token: await tokenIn(person, /Confirm/) });
  const resetLink = async (person: Person) => {
    await anonymous().forgotPassword({ email: person.user.email });
    await tandem.services.afterResponse.idle();
    return tokenIn(person, /Reset your password/);
  };
  const logIn = (person: Person) =>
    anonymous().call("logIn", { username: person.user.username, password: better });

  /** Sets up everything by which a person can act as their account or read what it gets. */
  async function setUp(person: Person) {
    const device = new Authenticator();
    const { options } = await person.beginPasskey({ password: person.password });
    await person.addPasskey(device.make(site(), options.challenge));
    const key = await tandem.as.key(["posts:write"], person);
    const agent = await tandem.as.agent(person);
    const asAgent = await tandem.as.agentSession(person, agent.agent.id);
    const elsewhere = await tandem.as.anotherSession(person);
    await person.createWebhook({ url: "https://eve.example.org/" });
    const later = new Date(clock.now() + 3_600_000).toISOString();
    await person.createDraft({ title: "Later", publishAt: later });
    await tandem.storage.write((tx) =>
      tx
        .insertInto("identities")
        .values({ provider: "google", subject: person.user.username, user_id: person.user.id })
        .execute(),
    );
    const byPasskey = async () => {
      const { options } = await anonymous().beginPasskeySignIn();
      return (await anonymous().call("signInWithPasskey", device.prove(site(), options.challenge))).status;
    };
    return { byPasskey, callers: [person, key, agent, asAgent, elsewhere] };
  }
  const enableTwoFactor = async (person: Person) => {
    const { secret } = await person.beginTwoFactor({ password: person.password });
    await person.confirmTwoFactor({ code: codeAt(String(secret), clock.now()) });
  };

  test("ends with the first proof of its address, if that is a reset: someone else may have set it up", async () => {
    const eve = await tandem.as.human();
    const { byPasskey, callers } = await setUp(eve);
    await enableTwoFactor(eve);
    const reset = await anonymous().resetPassword({ token: await resetLink(eve), password: better });
    for (const caller of callers) expect((await caller.call("me")).status).toBe(401);
    expect(await byPasskey()).toBe(401);
    const response = await logIn(eve);
    expect(response.status).toBe(200);
    const owner = tandem.as.with({ cookie: cookieOf(response) });
    expect((await owner.readSecurity()).security).toMatchObject({ emailVerified: true, twoFactor: false });
    expect((await owner.listWebhooks()).webhooks).toEqual([]);
    expect((await owner.listDrafts()).drafts).toMatchObject([{ state: "kept", publishAt: null }]);
    const nothing = { sessions: 0, passkeys: 0, keys: 0, webhooks: 0, streamKeys: 0, providers: [] };
    const ended = { sessions: 1, passkeys: 1, keys: 2, webhooks: 1, streamKeys: 0, providers: ["google"] };
    expect(reset).toEqual({ ok: true, access: nothing, ended: { ...ended, twoFactor: true } });
    const { text } = await mailServer.mailTo(eve.user.email, /password was changed/);
    expect(text).toMatch(
      /ended .*: 1 session, 1 passkey, 2 API keys, 1 webhook, sign-in with google, two-factor authentication\./,
    );
  });

  test("stays after a later reset, which lists it, unless that asks to end it", async () => {
    const ada = await tandem.as.human();
    await confirm(ada);
    const { byPasskey, callers } = await setUp(ada);
    await enableTwoFactor(ada);
    const first = await anonymous().resetPassword({ token: await resetLink(ada), password: better });
    const access = { sessions: 0, passkeys: 1, keys: 2, webhooks: 1, streamKeys: 0, providers: ["google"] };
    expect(first).toEqual({ ok: true, access, ended: null });
    const statuses = await Promise.all(callers.map(async (caller) => (await caller.call("me")).status));
    expect(statuses).toEqual([401, 200, 200, 401, 401]);
    expect(await byPasskey()).toBe(200);
    const { text } = await mailServer.mailTo(ada.user.email, /password was changed/);
    for (const part of ["1 passkey", "2 API keys", "1 webhook", "google", "/settings/security"])
      expect(text).toContain(part);
    const token = await resetLink(ada);
    const second = await anonymous().resetPassword({ token, password: better, endAccess: true });
    expect(second.access).toMatchObject({ sessions: 0, passkeys: 0, keys: 0, webhooks: 0, providers: [] });
    for (const caller of callers) expect((await caller.call("me")).status).toBe(401);
    expect(await byPasskey()).toBe(401);
    // A second factor only ever closes an account; reading its mail isn't enough to turn it off.
    expect((await logIn(ada)).body.code).toBe("second_factor_required");
  });

  test("can be ended in a session, which stays", async () => {
    const ada = await tandem.as.human();
    const { byPasskey, callers } = await setUp(ada);
    const { security } = await ada.readSecurity();
    expect(security.access).toEqual({
      ...{ sessions: 2, passkeys: 1, keys: 2, webhooks: 1, streamKeys: 0, providers: ["google"] },
    });
    const wrong = await ada.call("endAccess", { password: "a guess" });
    expect([wrong.status, wrong.body.field]).toEqual([403, "password"]);
    const { access } = await ada.endAccess({ password: ada.password });
    expect(access).toMatchObject({ sessions: 0, passkeys: 0, keys: 0, webhooks: 0, providers: [] });
    const statuses = await Promise.all(callers.map(async (caller) => (await caller.call("me")).status));
    expect(statuses).toEqual([200, 401, 401, 401, 401]);
    expect(await byPasskey()).toBe(401);
  });

  test("isn't ended if it would leave an account without a password no way in", async () => {
    const ada = await tandem.as.human();
    await tandem.storage.write((tx) =>
      tx.updateTable("users").set({ password_hash: null }).where("id", "=", ada.user.id).execute(),
    );
    expect((await ada.call("endAccess", {})).body).toMatchObject({ code: "forbidden" });
  });

  test("a confirmation link counts only where its account is signed in", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const token = await tokenIn(ada, /Confirm/);
    const key = await tandem.as.key([], ada);
    for (const caller of [anonymous(), bob, key]) {
      const { status, body } = await caller.call("confirmEmail", { token });
      expect([status, body.code]).toEqual([401, "unauthorized"]);
    }
    expect(await ada.confirmEmail({ token })).toEqual({ ok: true });
    expect((await key.call("me")).status).toBe(200);
  });
});
