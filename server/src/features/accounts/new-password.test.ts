import { HOUR } from "@tandem/contract/durations";
import { cookieOf, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";
const better = "battery staple";

describe.each(engines)("new passwords on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let mailServer: MailServer;
  const clock = stoppedClock();
  beforeAll(async () => {
    mailServer = await MailServer.start();
    tandem = await startTandem(engine, {
      now: clock.now,
      env: { ...mailServer.env, TRUST_PROXY: "1", LIMIT_THROTTLES_MAIL_PER_ADDRESS_LIMIT: "3" },
    });
  });
  afterAll(async () => {
    await tandem.stop();
    await mailServer[Symbol.asyncDispose]();
  });

  const logIn = (username: string, word: string) =>
    tandem.as.anonymous().call("logIn", { username, password: word });
  const forgot = (email: string) => tandem.as.anonymous().call("forgotPassword", { email });
  const reset = (token: string, word = better) =>
    tandem.as.anonymous().call("resetPassword", { token, password: word });
  const linkFor = async (email: string) => {
    await tandem.services.afterResponse.idle();
    const before = mailServer.received.length;
    await forgot(email);
    await tandem.services.afterResponse.idle();
    expect(mailServer.received.length).toBe(before + 1);
    return (await mailServer.mailTo(email, /Reset your password/)).token;
  };

  once("changes the password if the current one is right, and ends all other sessions", async () => {
    const ada = await tandem.as.human();
    const name = ada.user.username;
    const { agent } = await tandem.as.agent(ada);
    const asAgent = await tandem.as.agentSession(ada, agent.id);
    const elsewhere = tandem.as.with({ cookie: cookieOf(await logIn(name, password)) });
    for (const currentPassword of [better, undefined, null]) {
      const { status, body } = await ada.call("changePassword", { currentPassword, password: better });
      expect([status, body.field]).toEqual([currentPassword ? 403 : 400, "currentPassword"]);
    }
    expect((await ada.changePassword({ currentPassword: password, password: better })).user).toEqual(
      ada.user,
    );
    expect((await ada.call("me")).status).toBe(200);
    expect([(await elsewhere.call("me")).status, (await asAgent.call("me")).status]).toEqual([401, 401]);
    expect([(await logIn(name, password)).status, (await logIn(name, better)).status]).toEqual([401, 200]);
    await mailServer.mailTo(ada.user.email, /password was changed/);
  });

  once("replays a change that is retried with its Idempotency-Key", async () => {
    const ada = await tandem.as.human();
    const change = { currentPassword: password, password: better };
    const once = { idempotencyKey: "once" };
    const first = await ada.call("changePassword", change, once);
    const again = await ada.call("changePassword", change, once);
    expect([first.status, again.status, again.headers.get("idempotency-replayed")]).toEqual([
      200,
      200,
      "true",
    ]);
    expect(again.body).toEqual(first.body);
  });

  test("makes only one of two concurrent changes", async () => {
    const ada = await tandem.as.human();
    const change = (word: string) =>
      ada.call("changePassword", { currentPassword: password, password: word });
    const responses = await Promise.all([change("the first one"), change("the second one")]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test("resets the password by a mailed link, once, and ends all sessions", async () => {
    const ada = await tandem.as.human();
    const [first, token] = [await linkFor(ada.user.email), await linkFor(ada.user.email)];
    for (const weak of ["password1", `${ada.user.username}99!`])
      expect((await reset(token, weak)).body).toMatchObject({ code: "weak_password", field: "password" });
    const responses = await Promise.all([reset(token), reset(token), reset(token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(responses.find(({ status }) => status === 400)?.body).toMatchObject({
      code: "invalid_token",
      field: "token",
    });
    expect((await reset(token)).status).toBe(400);
    // Links that were mailed before stop working too.
    expect((await reset(first)).status).toBe(400);
    expect((await ada.call("me")).status).toBe(401);
    const again = await logIn(ada.user.username, better);
    const { security } = await tandem.as.with({ cookie: cookieOf(again) }).readSecurity();
    expect(security).toMatchObject({ emailVerified: true, hasPassword: true });
  });

  once("revokes confirmation links to other addresses when the password changes", async () => {
    const ada = await tandem.as.human();
    const evesAddress = `${uniqueName("eve")}@example.org`;
    await ada.changeEmail({ email: evesAddress, password });
    const { token } = await mailServer.mailTo(evesAddress, /Confirm/);
    const own = (await mailServer.mailTo(ada.user.email, /Confirm/)).token;
    expect((await reset(await linkFor(ada.user.email))).status).toBe(200);
    const again = tandem.as.with({ cookie: cookieOf(await logIn(ada.user.username, better)) });
    const confirm = (link: string) => again.call("confirmEmail", { token: link });
    expect((await confirm(token)).body).toMatchObject({ code: "invalid_token", field: "token" });
    expect((await confirm(own)).status).toBe(200);
    expect((await again.me()).user.email).toBe(ada.user.email);
  });

  test("gives no lasting session to a concurrent login with the old password", async () => {
    const ada = await tandem.as.human();
    const token = await linkFor(ada.user.email);
    const resetting = reset(token);
    const under = [1, 2, 3].map(() => logIn(ada.user.username, password));
    expect((await resetting).status).toBe(200);
    for (const response of await Promise.all(under))
      expect((await tandem.as.with({ cookie: cookieOf(response) }).call("me")).status).toBe(401);
  });

  once("rejects a link after an hour, and a link for another purpose", async () => {
    const ada = await tandem.as.human();
    const other = (await mailServer.mailTo(ada.user.email, /Confirm/)).token;
    expect((await reset(other)).body.code).toBe("invalid_token");
    const token = await linkFor(ada.user.email.toUpperCase().toLowerCase());
    clock.pass(HOUR);
    expect((await reset(token)).body.code).toBe("invalid_token");
  });

  once("responds the same whether an account has the address or not", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const addresses = [
      ada.user.email,
      `${uniqueName("nobody")}@example.org`,
      `${agent.agent.username}@agents.invalid`,
    ];
    await tandem.services.afterResponse.idle();
    const before = mailServer.received.length;
    const responses = await Promise.all(addresses.map(forgot));
    for (const { status, body } of responses)
      expect([status, body]).toEqual([200, { ok: true, sendsEmail: true }]);
    await tandem.services.afterResponse.idle();
    expect(mailServer.received.slice(before).map(({ to }) => to)).toEqual([[ada.user.email]]);
  });

  once("limits mails per recipient and per client", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: {
        ...mailServer.env,
        TRUST_PROXY: "1",
        LIMIT_THROTTLES_MAIL_PER_ACCOUNT_LIMIT: "2",
        LIMIT_THROTTLES_MAIL_PER_ADDRESS_LIMIT: "3",
      },
    });
    const ask = async (email: string, address = "127.0.0.1") =>
      (await strict.as.with({ "x-forwarded-for": address }).call("forgotPassword", { email })).status;
    const same = [];
    for (let i = 0; i < 3; i++) same.push(await ask("ada@example.org"));
    expect(same).toEqual([200, 200, 429]);
    expect(await ask("ADA@example.org")).toBe(429);
    const statuses = [];
    for (let i = 0; i < 4; i++) statuses.push(await ask(`person${i}@example.org`, "203.0.113.9"));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await ask("person9@example.org", "203.0.113.10")).toBe(200);
  });

  once("limits the unrequested mails that are sent to one address", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: { ...mailServer.env, LIMIT_THROTTLES_NOTICE_PER_RECIPIENT_LIMIT: "3" },
    });
    const eve = await strict.as.human();
    for (const [from, to] of [
      [password, better],
      [better, password],
      [password, better],
      [better, password],
    ] as const)
      await eve.changePassword({ currentPassword: from, password: to });
    await strict.services.afterResponse.idle();
    const sent = () => mailServer.received.filter(({ to }) => to.includes(eve.user.email)).length;
    expect(sent()).toBe(3);
    clock.pass(HOUR);
    await eve.changePassword({ currentPassword: password, password: better });
    await strict.services.afterResponse.idle();
    expect(sent()).toBe(4);
  });

  test("throttles wrong passwords within a session", async () => {
    await using strict = await startTandem(engine, {
      env: { LIMIT_THROTTLES_PASSWORD_PER_ACCOUNT_LIMIT: "3" },
    });
    const ada = await strict.as.human();
    const guess = async (word: string) =>
      (await ada.call("changePassword", { currentPassword: word, password: better })).status;
    const statuses = await Promise.all(Array.from({ length: 5 }, () => guess("a guess")));
    expect(statuses.sort()).toEqual([403, 403, 403, 429, 429]);
    expect(await guess(password)).toBe(429);
  });
});
