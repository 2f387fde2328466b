import { cookieOf, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";
const better = "battery staple";

describe.each(engines)("new passwords on %s", (engine) => {
  let tandem: Tandem;
  let post: MailServer;
  const clock = stoppedClock();
  beforeAll(async () => {
    post = await MailServer.start();
    tandem = await startTandem(engine, {
      now: clock.now,
      env: { ...post.env, TRUST_PROXY: "1", LIMIT_THROTTLES_MAIL_PER_ADDRESS_LIMIT: "3" },
    });
  });
  afterAll(async () => {
    await tandem.stop();
    await post[Symbol.asyncDispose]();
  });

  const logIn = (username: string, word: string) =>
    tandem.as.anonymous().call("logIn", { username, password: word });
  const forgot = (email: string) => tandem.as.anonymous().call("forgotPassword", { email });
  const reset = (token: string, word = better) =>
    tandem.as.anonymous().call("resetPassword", { token, password: word });
  const linkFor = async (email: string) => {
    await tandem.services.media.idle();
    const before = post.received.length;
    await forgot(email);
    await tandem.services.media.idle();
    expect(post.received.length).toBe(before + 1);
    return (await post.mailTo(email, /new password/)).token;
  };

  test("one who knows the current one sets another, which ends all other sessions", async () => {
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
    await post.mailTo(ada.user.email, /password was changed/);
  });

  test("a change that is sent again under its Idempotency-Key is answered again", async () => {
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

  test("of two changes at once only one is made", async () => {
    const ada = await tandem.as.human();
    const change = (word: string) =>
      ada.call("changePassword", { currentPassword: password, password: word });
    const answers = await Promise.all([change("the first one"), change("the second one")]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
  });

  test("a link that was mailed sets one, once, and ends all sessions", async () => {
    const ada = await tandem.as.human();
    const [first, token] = [await linkFor(ada.user.email), await linkFor(ada.user.email)];
    const answers = await Promise.all([reset(token), reset(token), reset(token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect(answers.find(({ status }) => status === 400)?.body).toMatchObject({
      code: "invalid_token",
      field: "token",
    });
    expect((await reset(token)).status).toBe(400);
    // Links that were sent before are over as well.
    expect((await reset(first)).status).toBe(400);
    expect((await ada.call("me")).status).toBe(401);
    const again = await logIn(ada.user.username, better);
    const { security } = await tandem.as.with({ cookie: cookieOf(again) }).readSecurity();
    expect(security).toMatchObject({ emailVerified: true, hasPassword: true });
  });

  test("links are over that whoever knew the old one had sent to another address", async () => {
    const ada = await tandem.as.human();
    const theirs = `${uniqueName("eve")}@example.org`;
    await ada.changeEmail({ email: theirs, password });
    const { token } = await post.mailTo(theirs, /Confirm/);
    const own = (await post.mailTo(ada.user.email, /Confirm/)).token;
    expect((await reset(await linkFor(ada.user.email))).status).toBe(200);
    const confirm = (one: string) => tandem.as.anonymous().call("confirmEmail", { token: one });
    expect((await confirm(token)).body).toMatchObject({ code: "invalid_token", field: "token" });
    expect((await confirm(own)).status).toBe(200);
    const again = tandem.as.with({ cookie: cookieOf(await logIn(ada.user.username, better)) });
    expect((await again.me()).user.email).toBe(ada.user.email);
  });

  test("whoever is logging in by the old password meanwhile gets no session that lasts", async () => {
    const ada = await tandem.as.human();
    const token = await linkFor(ada.user.email);
    const resetting = reset(token);
    const under = [1, 2, 3].map(() => logIn(ada.user.username, password));
    expect((await resetting).status).toBe(200);
    for (const answer of await Promise.all(under))
      expect((await tandem.as.with({ cookie: cookieOf(answer) }).call("me")).status).toBe(401);
  });

  test("a link ends after an hour, and one for another purpose is none", async () => {
    const ada = await tandem.as.human();
    const other = (await post.mailTo(ada.user.email, /Confirm/)).token;
    expect((await reset(other)).body.code).toBe("invalid_token");
    const token = await linkFor(ada.user.email.toUpperCase().toLowerCase());
    clock.pass(3_600_000);
    expect((await reset(token)).body.code).toBe("invalid_token");
  });

  test("the answer doesn't tell whether anybody has the address", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada);
    const addresses = [
      ada.user.email,
      `${uniqueName("nobody")}@example.org`,
      `${agent.agent.username}@agents.invalid`,
    ];
    await tandem.services.media.idle();
    const before = post.received.length;
    const answers = await Promise.all(addresses.map(forgot));
    for (const { status, body } of answers) expect([status, body]).toEqual([200, { ok: true }]);
    await tandem.services.media.idle();
    expect(post.received.slice(before).map(({ to }) => to)).toEqual([[ada.user.email]]);
  });

  test("neither an address nor whoever asks gets many letters sent", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: {
        ...post.env,
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
    const many = [];
    for (let i = 0; i < 4; i++) many.push(await ask(`person${i}@example.org`, "203.0.113.9"));
    expect(many).toEqual([200, 200, 200, 429]);
    expect(await ask("person9@example.org", "203.0.113.10")).toBe(200);
  });

  test("nobody's letter-box is filled by what an account with their address does", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: { ...post.env, LIMIT_THROTTLES_NOTICE_PER_RECIPIENT_LIMIT: "3" },
    });
    const eve = await strict.as.human();
    for (const [from, to] of [
      [password, better],
      [better, password],
      [password, better],
      [better, password],
    ] as const)
      await eve.changePassword({ currentPassword: from, password: to });
    await strict.services.media.idle();
    const sent = () => post.received.filter(({ to }) => to.includes(eve.user.email)).length;
    expect(sent()).toBe(3);
    clock.pass(3_600_000);
    await eve.changePassword({ currentPassword: password, password: better });
    await strict.services.media.idle();
    expect(sent()).toBe(4);
  });

  test("wrong passwords in a session are slowed down", async () => {
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
