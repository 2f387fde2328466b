import { HOUR, MINUTE } from "@tandem/contract/durations";
import { cookieOf } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { eventually } from "@tandem/testing/eventually";
import { MailServer } from "@tandem/testing/mail-server";
import { freePort } from "@tandem/testing/ports";
import { startProcess } from "@tandem/testing/process";
import { temporaryDirectory } from "@tandem/testing/storage";
import { engines, startTandem } from "@tandem/testing/tandem";
import { describe, expect, test } from "vitest";
import { sendMails } from "./mails.ts";

describe.each(engines)("mail on %s", (engine) => {
  test("is stored while the mail server is unreachable, and sent once it is back", async () => {
    const clock = stoppedClock();
    const unreachable = await MailServer.start();
    const { port, env } = unreachable;
    await unreachable[Symbol.asyncDispose]();
    await using tandem = await startTandem(engine, { now: clock.now, env });
    const ada = await tandem.as.human();
    await tandem.services.afterResponse.idle();
    const waiting = () => tandem.storage.read.selectFrom("mails").select(["attempts", "due_at"]).execute();
    expect(await waiting()).toEqual([{ attempts: 1, due_at: clock.now() + MINUTE }]);
    clock.pass(MINUTE);
    await sendMails(tandem.services);
    expect(await waiting()).toEqual([{ attempts: 2, due_at: clock.now() + 120_000 }]);
    await using back = await MailServer.start(port);
    clock.pass(120_000);
    await sendMails(tandem.services);
    const { token } = await back.mailTo(ada.user.email, /Confirm/);
    expect(await waiting()).toEqual([]);
    await ada.confirmEmail({ token });
  });

  test("retries temporary errors for a day, and never retries permanent ones", async () => {
    const clock = stoppedClock();
    await using mailServer = await MailServer.start();
    await using tandem = await startTandem(engine, { now: clock.now, env: mailServer.env });
    const waiting = () => tandem.storage.read.selectFrom("mails").select("due_at").execute();
    mailServer.refuses = { code: 451, says: "come again later" };
    await tandem.as.human();
    await tandem.services.afterResponse.idle();
    const begun = clock.now();
    for (let [next] = await waiting(); next; [next] = await waiting()) {
      clock.pass(next.due_at - clock.now());
      await sendMails(tandem.services);
    }
    expect((clock.now() - begun) / HOUR).toBeGreaterThan(24);
    mailServer.refuses = { code: 550, says: "no such user" };
    await tandem.as.human();
    await tandem.services.afterResponse.idle();
    expect(await waiting()).toEqual([]);
    expect(mailServer.received).toEqual([]);
  });

  test("sends each mail once, even if several runs send mails at the same time", async () => {
    await using mailServer = await MailServer.start();
    await using tandem = await startTandem(engine, { env: mailServer.env });
    const people = await Promise.all(Array.from({ length: 10 }, () => tandem.as.human()));
    await Promise.all([
      sendMails(tandem.services),
      sendMails(tandem.services),
      tandem.services.afterResponse.idle(),
    ]);
    const reached = mailServer.received.flatMap(({ to }) => to).sort();
    expect(reached).toEqual(people.map(({ user }) => user.email).sort());
  });
});

describe("without mail", () => {
  const signUp = (address: string) =>
    fetch(`${address}/api/auth/signup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: "ada", email: "ada@example.org", password: "correct horse" }),
    });
  const forgot = (address: string) =>
    fetch(`${address}/api/auth/password/forgot`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: "ada@example.org" }),
    });

  test("logs what it would send, on a local machine", async () => {
    await using directory = await temporaryDirectory();
    await using served = await startProcess(directory.path, { LOG_LEVEL: "info" });
    const signedUp = await signUp(served.address);
    expect(signedUp.status).toBe(200);
    const line = await eventually(() => {
      const found = served.lines.find((one) => one.includes("/account/confirm#token="));
      expect(found).toBeDefined();
      return String(found);
    });
    const token = /#token=([\w-]+)/.exec(line)?.[1];
    const confirmed = await fetch(`${served.address}/api/auth/email/confirm`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie: cookieOf(signedUp) },
      body: JSON.stringify({ token }),
    });
    expect(confirmed.status).toBe(200);
  });

  test.each<Record<string, string>>([
    { BASE_URL: "http://tandem.example" },
    { MAIL_URL: "off" },
    { HOST: "0.0.0.0" },
  ])("with %j, responds as usual and logs no mail content", async (env) => {
    await using directory = await temporaryDirectory();
    const port = String(await freePort());
    await using served = await startProcess(directory.path, { LOG_LEVEL: "trace", PORT: port, ...env });
    const address = `http://127.0.0.1:${port}`;
    expect((await signUp(address)).status).toBe(200);
    expect([(await forgot(address)).status, await (await forgot(address)).json()]).toEqual([
      200,
      { ok: true, sendsEmail: false },
    ]);
    await served.stop("SIGTERM");
    expect(served.lines.join("\n")).not.toContain("token=");
  });
});
