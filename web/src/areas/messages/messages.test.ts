import type { Caller } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("messages", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("are exchanged between two browsers, and marked as read when seen", async () => {
    const [ada, mary] = [await tandem.as.human("ada"), await tandem.as.human("mary")];
    await using first = await visit(tandem, ada);
    await using second = await visit(tandem, mary, phone);
    await first.open("/messages/mary");
    await second.open("/messages/ada");
    const input = first.page.getByRole("textbox", { name: "Message to mary" });
    await input.fill("One line");
    await input.press("Shift+Enter");
    await input.pressSequentially("and another");
    await input.press("Enter");
    expect(await input.inputValue()).toBe("");
    await second.page.getByRole("log").getByText("and another").waitFor();
    const [sent] = (await mary.listMessages({ username: "ada" })).messages;
    expect(sent?.body).toBe("One line\nand another");
    await expect.poll(async () => (await mary.listConversations()).conversations[0]?.unread).toBe(0);

    await second.page.getByRole("textbox").fill("Heard you");
    await second.page.getByRole("button", { name: "Send" }).click();
    await first.page.getByRole("log").getByText("Heard you").waitFor();
    expect((await ada.listMessages({ username: "mary" })).messages).toHaveLength(2);
    expect([...first.browserErrors, ...second.browserErrors]).toEqual([]);
  });

  test("are kept when they can't be sent, and sent once when retried", async () => {
    const [carl] = [await tandem.as.human("carl"), await tandem.as.human("jane")];
    await using visitor = await visit(tandem, carl);
    const { page } = visitor;
    await visitor.open("/messages/jane");
    await page.context().setOffline(true);
    const input = page.getByRole("textbox");
    await input.fill("Into the void");
    await input.press("Enter");
    await page.getByText("Can't reach Tandem").waitFor({ timeout: 15_000 });
    expect(await visitor.axeViolations()).toEqual([]);
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => page.getByText("Not sent.").count()).toBe(0);
    await expect
      .poll(async () => (await carl.listMessages({ username: "jane" })).messages.map(({ body }) => body))
      .toEqual(["Into the void"]);
    await expect.poll(() => page.getByRole("log").getByText("Into the void").count()).toBe(1);
  });

  test("sent by one tab disappear from the outbox of another", async () => {
    const [abel] = [await tandem.as.human("abel"), await tandem.as.human("ruth")];
    await using visitor = await visit(tandem, abel);
    const { page } = visitor;
    await visitor.open("/messages/ruth");
    await page.context().setOffline(true);
    await page.getByRole("textbox").fill("By the other");
    await page.getByRole("textbox").press("Enter");
    await page.getByText("Not sent.").waitFor();
    await page.context().setOffline(false);
    const other = await page.context().newPage();
    await other.goto(`${tandem.baseUrl}/messages/ruth`);
    await other.getByRole("button", { name: "Try again" }).click();
    await page.getByText("Not sent.").waitFor({ state: "detached" });
    await expect
      .poll(async () => (await abel.listMessages({ username: "ruth" })).messages.map(({ body }) => body))
      .toEqual(["By the other"]);
  });

  test("keep a draft across reloads and conversations", async () => {
    const [paul] = [
      await tandem.as.human("paul"),
      await tandem.as.human("rita"),
      await tandem.as.human("rob"),
    ];
    await paul.sendMessage({ username: "rob", body: "Hi" });
    await paul.sendMessage({ username: "rita", body: "Hi" });
    await using visitor = await visit(tandem, paul);
    const { page } = visitor;
    await visitor.open("/messages/rita");
    await page.getByRole("textbox").fill("Dear Ri");
    await visitor.open("/messages/rita");
    await expect.poll(() => page.getByRole("textbox").inputValue()).toBe("Dear Ri");
    await page.getByRole("complementary").getByRole("link", { name: "rob" }).click();
    await page.getByLabel("Message to rob").fill("Dear Ro");
    await page.getByRole("complementary").getByRole("link", { name: "rita" }).click();
    await expect.poll(() => page.getByLabel("Message to rita").inputValue()).toBe("Dear Ri");
  });

  test("interrupted by a reload are still there, and are sent only once", async () => {
    const [vera] = [await tandem.as.human("vera"), await tandem.as.human("walt")];
    const bodies = async () =>
      (await vera.listMessages({ username: "walt" })).messages.map(({ body }) => body);
    await using visitor = await visit(tandem, vera);
    const { page } = visitor;
    await visitor.open("/messages/walt");
    const input = page.getByRole("textbox");
    const notSentNotice = page.getByText("you left the page too early");
    // The service accepts it, but never responds.
    let accepted = 0;
    await page.route("**/api/messages/walt", async (route) => {
      if (route.request().method() !== "POST" || accepted > 0) return route.continue();
      await route.fetch();
      accepted++;
    });
    await input.fill("Just once");
    await input.press("Enter");
    await expect.poll(() => accepted).toBe(1);
    await visitor.open("/messages/walt");
    await notSentNotice.waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Try again" }).click();
    await notSentNotice.waitFor({ state: "detached" });
    expect(await bodies()).toEqual(["Just once"]);
    await expect.poll(() => page.getByRole("log").getByText("Just once").count()).toBe(1);
    await visitor.open("/messages/walt");
    await page.getByRole("log").getByText("Just once").waitFor();
    expect(await notSentNotice.count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("unsent when a session ended are restored for their author only, and are deleted on logout", async () => {
    const [xena, yves] = [await tandem.as.human("xena"), await tandem.as.human("yves")];
    await tandem.as.human("zoe");
    await using visitor = await visit(tandem, xena);
    const { page } = visitor;
    const logIn = async ({ user, password }: typeof xena) => {
      await visitor.open("/login?next=/messages/zoe");
      await page.getByLabel("Username or email").fill(user.username);
      await page.getByLabel("Password", { exact: true }).fill(password);
      await page.keyboard.press("Enter");
      await page.waitForURL("**/messages/zoe");
      await page.locator("html[data-alive]").waitFor();
    };
    const waiting = page.getByText("Are you there?");
    await visitor.open("/messages/zoe");
    await page.context().clearCookies();
    await page.getByRole("textbox").fill("Are you there?");
    await page.getByRole("textbox").press("Enter");
    await page.getByText("You've been logged out.").waitFor();
    expect(await page.getByRole("link", { name: "Log in (opens a new tab)" }).getAttribute("href")).toBe(
      "/login",
    );

    await logIn(yves);
    await page.getByText("No messages yet.").waitFor();
    expect(await waiting.count()).toBe(0);
    await page.context().clearCookies();
    await logIn(xena);
    await waiting.waitFor();
    await page.getByRole("textbox").fill("Half a wo");
    await visitor.open("/me");
    await page.getByRole("main").getByRole("button", { name: "Log out" }).click();
    await page.getByRole("link", { name: "Log in" }).first().waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toMatch(/Are you second|Half a wo/);
    await logIn(xena);
    await page.getByText("No messages yet.").waitFor();
    expect(await page.getByRole("textbox").inputValue()).toBe("");
  });

  test("explain why you can't message an account that blocked you or was deleted", async () => {
    const [olga, otto] = [await tandem.as.human("olga"), await tandem.as.human("otto")];
    await otto.sendMessage({ username: "olga", body: "Hello" });
    await using visitor = await visit(tandem, olga);
    const { page } = visitor;
    await visitor.open("/messages/otto");
    await otto.block({ username: "olga" });
    await page.getByRole("textbox").fill("Hello?");
    await page.getByRole("textbox").press("Enter");
    await page.getByText("You can't message each other: one of you has blocked the other.").waitFor();
    await page.getByRole("button", { name: "Discard" }).click();
    await otto.deleteAccount({ password: otto.password });
    await visitor.open("/messages");
    await page.getByRole("link", { name: /Deleted account/ }).click();
    await page.getByText("You can't message this account: it was deleted.").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    await page.getByRole("log").getByText("Deleted account: Hello").waitFor();
  });

  test("can't be written to an account that you block, until you unblock it", async () => {
    const [wanda, willem] = [await tandem.as.human("wanda"), await tandem.as.human("willem")];
    await wanda.block({ username: "willem" });
    await using visitor = await visit(tandem, wanda, phone);
    const { page } = visitor;
    await visitor.open("/messages/willem");
    await page.getByText("You blocked this account.").waitFor();
    expect(await page.getByRole("textbox").count()).toBe(0);
    expect(await page.getByText("No messages yet.").count()).toBe(0);
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Unblock" }).click();
    await page.getByRole("textbox", { name: "Message to willem" }).waitFor();
    // Whether the other account blocks you stays hidden until you write.
    await willem.block({ username: "wanda" });
    await visitor.open("/messages/willem");
    await page.getByRole("textbox", { name: "Message to willem" }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("are listed with both names, the handle cut first but not to less than a few letters", async () => {
    const ida = await tandem.as.human("ida");
    const other = await tandem.as.human("railways-falcon-of-the-north");
    await other.editProfile({ displayName: "The Railways Falcon of the Far, Far North" });
    await ida.sendMessage({ username: other.user.username, body: "Hello" });
    await using visitor = await visit(tandem, ida, phone);
    await visitor.open("/messages");
    const handle = visitor.page.getByText(`@${other.user.username}`, { exact: true });
    expect((await handle.boundingBox())?.width).toBeGreaterThan(45);
  });

  test("load earlier ones on request", async () => {
    const [nils, nora] = [await tandem.as.human("nils"), await tandem.as.human("nora")];
    for (let i = 1; i <= 25; i++) await nora.sendMessage({ username: "nils", body: `Number ${i}.` });
    await using visitor = await visit(tandem, nils);
    const { page } = visitor;
    await visitor.open("/messages/nora");
    const log = page.getByRole("log");
    await log.getByText("Number 25.").waitFor();
    expect(await log.getByText("Number 1.").count()).toBe(0);
    await page.getByRole("button", { name: "Load earlier messages" }).click();
    await log.getByText("Number 1.").waitFor();
  });

  test("say which ones an AI wrote", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    const { agent } = await tandem.as.agent(mary);
    const asAgent = await tandem.as.agentSession(mary, agent.id);
    await ada.sendMessage({ username: agent.username, body: "Anything new?" });
    await asAgent.sendMessage({ username: ada.user.username, body: "Not yet." });
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/messages/${agent.username}`);
    await visitor.page.getByText("AI ·").waitFor();
  });

  test("with an agent say before the first one that its operator can read them", async () => {
    const [ada, mary] = [await tandem.as.human(), await tandem.as.human()];
    const { agent } = await tandem.as.agent(mary);
    const asAgent = await tandem.as.agentSession(mary, agent.id);
    const open = async (caller: Caller, other: string) => {
      await using visitor = await visit(tandem, caller);
      await visitor.open(`/messages/${other}`);
      expect(await visitor.axeViolations()).toEqual([]);
      return await visitor.page.getByRole("region", { name: other }).innerText();
    };
    const [reader, operator] = [ada.user.username, mary.user.username];
    const notice = `@${operator} operates this agent and can read this conversation.`;
    expect(await open(ada, agent.username)).toContain(notice);
    expect(await open(ada, operator)).not.toContain("can read");
    await ada.sendMessage({ username: agent.username, body: "Anything new?" });
    expect(await open(ada, agent.username)).toContain(notice);
    expect(await open(mary, agent.username)).toContain(`You operate @${agent.username}`);
    const told = `You operate @${agent.username} and can read this conversation. We tell @${reader} that you can.`;
    expect(await open(asAgent, reader)).toContain(told);
  });
});
