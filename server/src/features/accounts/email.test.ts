import { uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe.each(engines)("addresses on %s", (engine) => {
  let tandem: Tandem;
  let post: MailServer;
  const clock = stoppedClock();
  beforeAll(async () => {
    post = await MailServer.start();
    tandem = await startTandem(engine, { now: clock.now, env: post.env });
  });
  afterAll(async () => {
    await tandem.stop();
    await post[Symbol.asyncDispose]();
  });

  const confirm = (token: string) => tandem.as.anonymous().call("confirmEmail", { token });
  const newAddress = () => `${uniqueName("new")}@example.org`;

  test("who signs up is sent a link, which confirms the address once", async () => {
    const ada = await tandem.as.human();
    const mail = await post.mailTo(ada.user.email, /Confirm/);
    expect(mail).toMatchObject({
      envelope: { from: "post@tandem.example", to: [ada.user.email] },
      from: "post@tandem.example",
      to: [ada.user.email],
    });
    expect(mail.text).toContain(`${tandem.baseUrl}/account/confirm#token=${mail.token}`);
    expect((await ada.readSecurity()).security.emailVerified).toBe(false);
    const answers = await Promise.all([confirm(mail.token), confirm(mail.token)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await ada.readSecurity()).security.emailVerified).toBe(true);
    expect(await ada.sendConfirmation()).toEqual({ sent: false });
  });

  test("the link can be sent again, ends after two days, and lies nowhere in the database", async () => {
    const ada = await tandem.as.human();
    await tandem.services.media.idle();
    expect(await ada.sendConfirmation()).toEqual({ sent: true });
    await tandem.services.media.idle();
    const { token } = await post.mailTo(ada.user.email, /Confirm/);
    const kept = await tandem.storage.read.selectFrom("tokens").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(token);
    expect(await tandem.storage.read.selectFrom("mails").selectAll().execute()).toEqual([]);
    clock.pass(48 * 3_600_000);
    expect((await confirm(token)).body).toMatchObject({ code: "invalid_token", field: "token" });
  });

  test("another address counts once it is confirmed, and the old one is told", async () => {
    const ada = await tandem.as.human();
    const address = newAddress();
    expect(await ada.changeEmail({ email: address, password })).toEqual({ sent: true });
    expect((await ada.me()).user.email).toBe(ada.user.email);
    const { token } = await post.mailTo(address, /Confirm/);
    expect((await confirm(token)).status).toBe(200);
    expect((await ada.me()).user.email).toBe(address);
    const notice = await post.mailTo(ada.user.email, /address was changed/);
    expect([notice.token, notice.text.includes(address)]).toEqual(["", false]);
    // The old address opens nothing any more, and is free.
    expect((await tandem.as.anonymous().call("logIn", { email: ada.user.email, password })).status).toBe(401);
    await tandem.as.anonymous().logIn({ email: address, password });
  });

  test("it takes the password, and an address that is nobody's", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const ask = (email: string, word = password) => ada.call("changeEmail", { email, password: word });
    expect((await ask(newAddress(), "a guess")).body).toMatchObject({ code: "forbidden", field: "password" });
    expect((await ask(bob.user.email.toUpperCase())).body).toMatchObject({
      code: "email_taken",
      field: "email",
    });
    expect((await ask("robot@agents.invalid")).body).toMatchObject({ code: "invalid_input", field: "email" });
  });

  test("to ask for addresses that are taken counts, for it tells who has an account", async () => {
    await using strict = await startTandem(engine, {
      now: clock.now,
      env: { LIMIT_THROTTLES_MAIL_PER_ACCOUNT_LIMIT: "3" },
    });
    const [ada, bob] = [await strict.as.human(), await strict.as.human()];
    const ask = async (dryRun = false) =>
      (await ada.call("changeEmail", { email: bob.user.email, password }, { dryRun })).status;
    expect([await ask(), await ask(true), await ask(), await ask(), await ask(true)]).toEqual([
      400, 400, 400, 429, 429,
    ]);
  });

  test("of two who ask for one address, who confirms it first has it", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const address = newAddress();
    await ada.changeEmail({ email: address, password });
    const first = (await post.mailTo(address, /Confirm/)).token;
    await tandem.services.media.idle();
    await bob.changeEmail({ email: address, password });
    await tandem.services.media.idle();
    const second = (await post.mailTo(address, /Confirm/)).token;
    const answers = await Promise.all([confirm(first), confirm(second)]);
    const codes = answers.map(({ body }) => body.code ?? "taken by it").sort();
    expect(codes).toEqual(["email_taken", "taken by it"]);
  });

  test("a link to set a password that was sent to an address given up is none", async () => {
    const ada = await tandem.as.human();
    await tandem.as.anonymous().forgotPassword({ email: ada.user.email });
    const { token: old } = await post.mailTo(ada.user.email, /new password/);
    const address = newAddress();
    await ada.changeEmail({ email: address, password });
    await confirm((await post.mailTo(address, /Confirm/)).token);
    const { body } = await tandem.as
      .anonymous()
      .call("resetPassword", { token: old, password: "battery staple" });
    expect(body.code).toBe("invalid_token");
  });

  test.each(["a@example.org\r\nBcc: eve@example.org", "a@example.org\nRCPT TO:<eve@example.org>"])(
    "no address adds a line to a mail: %j",
    async (email) => {
      const ada = await tandem.as.human();
      const { status, body } = await ada.call("changeEmail", { email, password });
      expect([status, body.field]).toEqual([400, "email"]);
    },
  );

  test.each(["eve@example.org,a@example.net", 'a"<eve@example.org>,b@example.net', "a<eve>@example.net"])(
    "no address is read as several: %j",
    async (email) => {
      const ada = await tandem.as.human();
      await tandem.services.media.idle();
      const before = post.received.length;
      const { status } = await ada.call("changeEmail", { email, password });
      await tandem.services.media.idle();
      const reached = post.received.slice(before).flatMap(({ envelope }) => envelope.to);
      expect([status === 200 || status === 400, reached.includes("eve@example.org")]).toEqual([true, false]);
    },
  );
});
