import { DAY } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { stoppedClock } from "@tandem/testing/clock";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { MailServer } from "@tandem/testing/mail-server";
import { engines, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sendDigests } from "./digest.ts";

describe.each(engines)("a digest on %s", (engine) => {
  const once = testOnce(engine);
  const clock = stoppedClock();
  let mail: MailServer;
  let tandem: Tandem;
  beforeAll(async () => {
    mail = await MailServer.start();
    tandem = await startTandem(engine, { now: clock.now, env: mail.env });
  });
  beforeEach(() => {
    mail.received.length = 0;
  });
  afterAll(async () => {
    await tandem.stop();
    await mail[Symbol.asyncDispose]();
  });

  /** Someone with a confirmed address who gets a digest, and someone they follow. */
  const start = async (emailDigest: "daily" | "weekly" = "daily") => {
    const [reader, author] = [await tandem.as.human(), await tandem.as.human()];
    const { token } = await mail.mailTo(reader.user.email, /Confirm/);
    await reader.confirmEmail({ token });
    await reader.follow({ platform: "native", author: author.user.username });
    await reader.editPreferences({ emailDigest });
    return { reader, author };
  };
  /** What someone gets now. Other tests' readers get theirs, too. */
  const digestsOf = async ({ user }: Person) => {
    await sendDigests(tandem.services);
    return mail.received
      .splice(0)
      .filter(({ to, subject }) => to.includes(user.email) && /new post/.test(subject));
  };

  test("has the most liked posts by those the reader follows, with their labels, and comes as often as chosen", async () => {
    const { reader, author } = await start();
    const agent = await tandem.as.agent(author);
    await reader.follow({ platform: "native", author: agent.agent.username });
    const { post: before } = await author.createPost({ title: "Before the digest" });
    const { post: liked } = await agent.createPost({ title: "By an agent" });
    await author.createPost({ title: "Spoilers", body: "She dies", contentWarning: "The end of a book" });
    await reader.likePost({ id: liked.id });
    // Agents' likes don't count.
    for (const by of [agent, await tandem.as.agent(author)]) await by.likePost({ id: before.id });
    expect(await digestsOf(reader)).toEqual([]);
    clock.pass(DAY);
    const [first, ...others] = await digestsOf(reader);
    expect(others).toEqual([]);
    expect(first).toMatchObject({
      to: [reader.user.email],
      subject: "Tandem: 3 new posts by creators that you follow",
    });
    const text = first?.text ?? "";
    expect(text).toContain(`By an agent\nBy @${agent.agent.username}, an AI agent. AI-generated.\n`);
    expect(text).toContain(`/posts/${liked.id}\n`);
    expect(text).toContain("Spoilers. Content warning: The end of a book\n");
    expect(text).not.toContain("She dies");
    expect(text.indexOf("By an agent")).toBeLessThan(text.indexOf("Before the digest"));
    // Nothing is told twice, and nothing new is no reason for a mail.
    clock.pass(DAY);
    expect(await digestsOf(reader)).toEqual([]);
    await author.createPost({ title: "On the third day" });
    clock.pass(DAY);
    expect((await digestsOf(reader)).map(({ subject }) => subject)).toEqual([
      "Tandem: 1 new post by creators that you follow",
    ]);
  });

  test("leaves out what the reader doesn't want to see", async () => {
    const { reader, author } = await start();
    const blocked = await tandem.as.human();
    await reader.follow({ platform: "native", author: blocked.user.username });
    await reader.editPreferences({ aiPosts: "hide", sensitivePosts: "hide" });
    await blocked.createPost({ title: "Blocked" });
    await author.createPost({ title: "Generated", provenance: "ai_generated" });
    await author.createPost({ title: "Warned of", contentWarning: "Blood" });
    await author.createPost({ title: "About looms" });
    await author.createPost({ title: "Welcome" });
    await reader.block({ username: blocked.user.username });
    await reader.mute({ word: "looms" });
    clock.pass(DAY);
    const [only] = await digestsOf(reader);
    expect(only?.text).toContain("Welcome");
    expect(only?.text).not.toMatch(/Blocked|Generated|Warned|looms/);
  });

  once("can be ended from the mail, by its page or by the mail program, and chosen again", async () => {
    for (const end of [
      async (token: string) => expect(await tandem.as.anonymous().endDigest({ token })).toEqual({ ok: true }),
      async (token: string, url: string) => {
        expect(url).toBe(`${tandem.baseUrl}/unsubscribe/${token}`);
        const body = "List-Unsubscribe=One-Click";
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        expect((await fetch(url, { method: "POST", body, headers })).status).toBe(200);
        const opened = await fetch(url, { redirect: "manual" });
        expect(opened.headers.get("location")).toBe(`/account/digest#token=${token}`);
      },
    ]) {
      const { reader, author } = await start("weekly");
      await author.createPost({ title: "News" });
      clock.pass(DAY);
      expect(await digestsOf(reader)).toEqual([]);
      clock.pass(6 * DAY);
      const [sent] = await digestsOf(reader);
      expect(sent?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
      const url = /<(.*)>/.exec(sent?.headers["list-unsubscribe"] ?? "")?.[1] ?? "";
      // A second press changes nothing.
      for (let press = 0; press < 2; press++) await end(sent?.token ?? "", url);
      expect((await reader.readPreferences()).preferences.emailDigest).toBe("off");
      await author.createPost({ title: "More news" });
      clock.pass(7 * DAY);
      expect(await digestsOf(reader)).toEqual([]);
      await reader.editPreferences({ emailDigest: "daily" });
      clock.pass(DAY);
      // What came while it was off isn't told.
      expect(await digestsOf(reader)).toEqual([]);
    }
    const unknown = await tandem.as.anonymous().call("endDigest", { token: "unknown" });
    expect([unknown.status, unknown.body]).toMatchObject([400, { code: "invalid_token", field: "token" }]);
    for (const token of ["unknown", "%00", "a".repeat(300)])
      expect((await fetch(`${tandem.baseUrl}/unsubscribe/${token}`, { method: "POST" })).status).toBe(404);
  });

  once("goes to confirmed addresses alone, and to no agent", async () => {
    const { reader, author } = await start();
    const unconfirmed = await tandem.as.human();
    await unconfirmed.follow({ platform: "native", author: author.user.username });
    await unconfirmed.editPreferences({ emailDigest: "daily" });
    await author.createPost({ title: "News" });
    clock.pass(DAY);
    expect(await digestsOf(unconfirmed)).toEqual([]);
    const made = await tandem.as.agent(reader);
    const agent = await tandem.as.agentSession(reader, made.agent.id);
    const refused = await agent.call("editPreferences", { emailDigest: "daily" });
    expect([refused.status, refused.body]).toMatchObject([400, { field: "emailDigest" }]);
  });

  test("is tried again while the mail server fails, and has the same posts then", async () => {
    const { reader, author } = await start();
    await author.createPost({ title: "News" });
    clock.pass(DAY);
    mail.refuses = { code: 451, says: "come again later" };
    expect(await digestsOf(reader)).toEqual([]);
    mail.refuses = null;
    clock.pass(DAY / 24);
    expect((await digestsOf(reader)).length).toBe(1);
    await author.createPost({ title: "More" });
    clock.pass(DAY);
    expect((await digestsOf(reader)).length).toBe(1);
  });

  test("tells what came after the last one, however old, and whatever else is muted", async () => {
    const { reader, author } = await start();
    await reader.follow({ platform: "native", author: author.user.username });
    await reader.follow({ platform: "lemmy", author: "bea" });
    await reader.mute({ word: "spam" });
    await author.createPost({ title: "Good" });
    const body = "spam ".repeat(1900);
    for (let i = 0; i < 12; i++) await author.createPost({ title: `Bad ${i}`, body, provenance: "human" });
    const days = (count: number) => clock.now() - count * DAY;
    await tandem.storage.write(async (tx) => {
      await insertImportedPost(tx, { platform: "lemmy", author: "bea", title: "Late", postedAt: days(3) });
      await insertImportedPost(tx, {
        platform: "lemmy",
        author: "bea",
        title: "Archived",
        postedAt: days(99),
      });
    });
    clock.pass(DAY);
    const [only] = await digestsOf(reader);
    expect(only?.subject).toBe("Tandem: 2 new posts by creators that you follow");
    expect(only?.text).toContain(`\nGood\nBy @${author.user.username}. `);
    expect(only?.text).toContain("\nLate\nBy @bea on Lemmy. ");
  });

  test("ends if its address permanently refuses mail", async () => {
    const { reader, author } = await start();
    await author.createPost({ title: "News" });
    clock.pass(DAY);
    mail.refuses = { code: 550, says: "no such user" };
    expect(await digestsOf(reader)).toEqual([]);
    mail.refuses = null;
    expect((await reader.readPreferences()).preferences.emailDigest).toBe("off");
  });

  test("is sent once, even if several processes send digests at the same time", async () => {
    const { reader, author } = await start();
    await author.createPost({ title: "News" });
    clock.pass(DAY);
    await Promise.all([sendDigests(tandem.services), sendDigests(tandem.services)]);
    expect(
      mail.received.filter(({ to, subject }) => to.includes(reader.user.email) && /new post/.test(subject))
        .length,
    ).toBe(1);
  });
});

test("a service without email says that there can be no digest", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const refused = await ada.call("editPreferences", { emailDigest: "weekly", aiPosts: "hide" });
  expect([refused.status, refused.body]).toMatchObject([400, { field: "emailDigest" }]);
  expect((await ada.readPreferences()).preferences).toMatchObject({ emailDigest: "off", aiPosts: "show" });
});
