import { HOUR } from "@tandem/contract/durations";
import { type Caller, uniqueName } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe.each(engines)("email addresses on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  let mailServer: MailServer;
  const clock = stoppedClock();
  beforeAll(async () => {
    mailServer = await MailServer.start();
    tandem = await startTandem(engine, { now: clock.now, env: mailServer.env });
  });
  afterAll(async () => {
    await tandem.stop();
    await mailServer[Symbol.asyncDispose]();
  });

  const confirm = (person: Caller, token: string) => person.call("confirmEmail", { token });
  const newAddress = () => `${uniqueName("new")}@example.org`;

  test("mails a new account a link that confirms its address once", async () => {
    const ada = await tandem.as.human();
    const mail = await mailServer.mailTo(ada.user.email, /Confirm/);
    expect(mail).toMatchObject({
      envelope: { from: "post@tandem.example", to: [ada.user.email] },
      from: "post@tandem.example",
      to: [ada.user.email],
    });
    expect(mail.text).toContain(`${tandem.baseUrl}/account/confirm#token=${mail.token}`);
    expect((await ada.readSecurity()).security.emailVerified).toBe(false);
    const responses = await Promise.all([confirm(ada, mail.token), confirm(ada, mail.token)]);
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect((await ada.readSecurity()).security.emailVerified).toBe(true);
    expect(await ada.sendConfirmation()).toEqual({ sent: false });
  });

  once("resends the link, which expires after two days and isn't stored in the database", async () => {
    const ada = await tandem.as.human();
    await tandem.services.afterResponse.idle();
    expect(await ada.sendConfirmation()).toEqual({ sent: true });
    await tandem.services.afterResponse.idle();
    const { token } = await mailServer.mailTo(ada.user.email, /Confirm/);
    const stored = await tandem.storage.read.selectFrom("tokens").selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(token);
    expect(await tandem.storage.read.selectFrom("mails").selectAll().execute()).toEqual([]);
    clock.pass(48 * HOUR);
    expect((await confirm(ada, token)).body).toMatchObject({ code: "invalid_token", field: "token" });
  });

  once("changes the address when the new one is confirmed, and tells the old one", async () => {
    const ada = await tandem.as.human();
    const address = newAddress();
    expect(await ada.changeEmail({ email: address, password })).toEqual({ sent: true });
    expect((await ada.me()).user.email).toBe(ada.user.email);
    const { token } = await mailServer.mailTo(address, /Confirm/);
    expect((await confirm(ada, token)).status).toBe(200);
    expect((await ada.me()).user.email).toBe(address);
    const mail = await mailServer.mailTo(ada.user.email, /email address was changed/);
    expect([mail.token, mail.text.includes(address)]).toEqual(["", false]);
    // The old address can no longer log in, and is free again.
    expect((await tandem.as.anonymous().call("logIn", { email: ada.user.email, password })).status).toBe(401);
    await tandem.as.anonymous().logIn({ email: address, password });
  });

  once("requires the password and an address that no account has", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const ask = (email: string, word = password) => ada.call("changeEmail", { email, password: word });
    expect((await ask(newAddress(), "a guess")).body).toMatchObject({ code: "forbidden", field: "password" });
    expect((await ask(bob.user.email.toUpperCase())).body).toMatchObject({
      code: "email_taken",
      field: "email",
    });
    expect((await ask("robot@agents.invalid")).body).toMatchObject({ code: "invalid_input", field: "email" });
  });

  once("counts requests for taken addresses, which reveal who has an account", async () => {
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

  test("gives an address that two accounts ask for to the first that confirms it", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const address = newAddress();
    await ada.changeEmail({ email: address, password });
    const first = (await mailServer.mailTo(address, /Confirm/)).token;
    await tandem.services.afterResponse.idle();
    await bob.changeEmail({ email: address, password });
    await tandem.services.afterResponse.idle();
    const second = (await mailServer.mailTo(address, /Confirm/)).token;
    const responses = await Promise.all([confirm(ada, first), confirm(bob, second)]);
    const codes = responses.map(({ body }) => body.code ?? "taken by it").sort();
    expect(codes).toEqual(["email_taken", "taken by it"]);
  });

  once("rejects a password link that was sent to a former address", async () => {
    const ada = await tandem.as.human();
    await tandem.as.anonymous().forgotPassword({ email: ada.user.email });
    const { token: old } = await mailServer.mailTo(ada.user.email, /Reset your password/);
    const address = newAddress();
    await ada.changeEmail({ email: address, password });
    await confirm(ada, (await mailServer.mailTo(address, /Confirm/)).token);
    const { body } = await tandem.as
      .anonymous()
      .call("resetPassword", { token: old, password: "battery staple" });
    expect(body.code).toBe("invalid_token");
  });

  if (runsOnceTests(engine))
    test.each(["a@example.org\r\nBcc: eve@example.org", "a@example.org\nRCPT TO:<eve@example.org>"])(
      "rejects an address that would inject a line into a mail: %j",
      async (email) => {
        const ada = await tandem.as.human();
        const { status, body } = await ada.call("changeEmail", { email, password });
        expect([status, body.field]).toEqual([400, "email"]);
      },
    );

  test.each(["eve@example.org,a@example.net", 'a"<eve@example.org>,b@example.net', "a<eve>@example.net"])(
    "never reads an address as several: %j",
    async (email) => {
      const ada = await tandem.as.human();
      await tandem.services.afterResponse.idle();
      const before = mailServer.received.length;
      const { status } = await ada.call("changeEmail", { email, password });
      await tandem.services.afterResponse.idle();
      const reached = mailServer.received.slice(before).flatMap(({ envelope }) => envelope.to);
      expect([status === 200 || status === 400, reached.includes("eve@example.org")]).toEqual([true, false]);
    },
  );
});
