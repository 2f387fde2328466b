import { codeAt } from "@tandem/testing/account-inputs";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { until } from "@tandem/testing/ports";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { sectionNames } from "./sections.ts";

describe("the settings", () => {
  let tandem: Tandem;
  let visitor: Visitor;
  let ada: Person;

  beforeAll(async () => {
    const started = await startTandem("sqlite", { env: loopback });
    // Passkeys belong to names, not to addresses.
    started.services.baseUrl = started.baseUrl.replace("127.0.0.1", "localhost");
    tandem = { ...started, baseUrl: started.services.baseUrl };
    visitor = await visit(tandem);
    visitor.page.setDefaultTimeout(15_000);
  }, 120_000);
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]();
    await tandem.stop();
  });
  beforeEach(async () => {
    visitor.browserErrors.length = 0;
    ada = await tandem.as.human();
    await signInAs(ada);
  });

  async function signInAs(person: Person): Promise<void> {
    const context = visitor.page.context();
    await context.clearCookies();
    const [name = "", value = ""] = String(person.options.headers?.cookie).split("=");
    await context.addCookies([{ name, value, url: tandem.baseUrl }]);
  }

  const main = () => visitor.page.getByRole("main");
  const button = (name: string) => main().getByRole("button", { name, exact: true });
  const told = (text: string) => visitor.page.getByRole("status").getByText(text).waitFor();

  test("name and words are changed, and shown at once", async () => {
    const { page } = visitor;
    await visitor.open("/settings");
    await main()
      .getByRole("link", { name: /Profile/ })
      .click();
    await page.getByLabel("Name", { exact: true }).fill("Ada L.");
    await page.getByLabel("Some words about you").fill("Writes about engines.");
    await button("Save").click();
    await told("Saved.");
    expect((await ada.me()).user).toMatchObject({ displayName: "Ada L.", bio: "Writes about engines." });
    await page.getByRole("banner").getByText("Ada L.").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("a picture is cut to its square, and what can't be read here is sent as it is", async () => {
    const { page } = visitor;
    await visitor.open("/settings/profile");
    const files = page.locator("input[type=file]");
    await files.setInputFiles({
      name: "wide.png",
      mimeType: "image/png",
      buffer: await drawPicture({ width: 300, height: 100 }),
    });
    await page.getByLabel("Closer").fill("2");
    await page.getByLabel("Left and right").fill("270");
    await button("Use this picture").click();
    await told("That is your picture now.");
    const { avatarUrl } = (await ada.me()).user;
    expect(avatarUrl).not.toBe(null);
    const size = await page.evaluate(async (url) => {
      const { width, height } = await createImageBitmap(await (await fetch(url)).blob());
      return [width, height];
    }, String(avatarUrl));
    expect(size[0]).toBe(size[1]);
    await files.setInputFiles({
      name: "odd.heic",
      mimeType: "image/heic",
      buffer: Buffer.from("no picture"),
    });
    await page.getByText("can't show odd.heic").waitFor();
    await button("Use this picture").click();
    // The service's own words of what is wrong with it.
    await page.getByRole("status").getByText(/image/).waitFor();
  });

  test("colours and language are kept, and the service draws in them from the first byte", async () => {
    const { page } = visitor;
    const drawn = async () =>
      (await page.request.get(`${tandem.baseUrl}/settings`, { headers: { accept: "text/html" } })).text();
    await visitor.open("/settings/appearance");
    await page.getByLabel("Dark", { exact: true }).check();
    const ground = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await ground()).toBe("rgb(22, 21, 18)");
    expect(await drawn()).toContain('data-theme="dark"');
    await visitor.open("/settings/appearance");
    expect(await page.getByLabel("Dark", { exact: true }).isChecked()).toBe(true);
    await page.getByLabel("As the system").check();
    expect(await drawn()).not.toContain("data-theme");
    await page.getByRole("radio", { name: "Deutsch" }).check();
    await page.getByRole("heading", { level: 1, name: "Darstellung" }).waitFor();
    expect(await drawn()).toContain('lang="de"');
    expect(visitor.browserErrors).toEqual([]);
  });

  test("codes are set up with what the page shows, recovery codes are told, and codes end by one of them", async () => {
    const { page } = visitor;
    await visitor.open("/settings/security");
    await button("Set it up").click();
    await page.getByLabel("Your password").fill("wrong");
    await button("Continue").click();
    await page.getByText("This isn't your password.").waitFor();
    await page.getByLabel("Your password").fill(ada.password);
    await button("Continue").click();
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    const secret = await page.locator("code").innerText();
    await page.getByLabel("The code that it shows").fill(codeAt(secret, Date.now()));
    await button("Switch codes on").click();
    await page.getByText("Keep these recovery codes").waitFor();
    const [recovery = ""] = await page.getByRole("status").getByRole("listitem").allInnerTexts();
    await button("I have kept them").click();
    await page.getByText("10 recovery codes are left.").waitFor();
    expect((await ada.readSecurity()).security.twoFactor).toBe(true);
    await button("New recovery codes").click();
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByLabel("Code of the authenticator").fill(codeAt(secret, Date.now() + 30_000));
    await button("New recovery codes").click();
    await page.getByText("Keep these recovery codes").waitFor();
    const [renewed = ""] = await page.getByRole("status").getByRole("listitem").allInnerTexts();
    expect(renewed).not.toBe(recovery);
    await button("I have kept them").click();
    await button("Switch codes off").click();
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByLabel("Code, or a recovery code").fill(renewed);
    await button("Switch codes off").click();
    await button("Set it up").waitFor();
    expect((await ada.readSecurity()).security.twoFactor).toBe(false);
  });

  test("a passkey is added and signs in", async () => {
    await using device = await visit(tandem, ada);
    const { page } = device;
    await device.addVirtualAuthenticator();
    await device.open("/settings/security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("What to call it").fill("This browser");
    await page.getByLabel("Your password").fill(ada.password);
    await page.getByRole("button", { name: "Make it" }).click();
    await page.getByText("This browser").waitFor();
    expect((await ada.listPasskeys()).passkeys).toMatchObject([{ name: "This browser" }]);
    await page.context().clearCookies();
    await device.open("/login?next=/settings/security");
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL(`${tandem.baseUrl}/settings/security`);
    await page.locator("html[data-alive]").waitFor();
    await page.getByRole("button", { name: "Remove This browser" }).click();
    await page.getByRole("dialog").getByLabel("Your password").fill(ada.password);
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await until(async () => (await ada.listPasskeys()).passkeys.length === 0);
    expect(device.browserErrors).toEqual([]);
  });

  test("a new password ends other sessions, and the list of them is true", async () => {
    const { page } = visitor;
    const { username } = ada.user;
    await tandem.as.anonymous().logIn({ username, password: ada.password });
    await visitor.open("/settings/security");
    await button("End all others").click();
    await told("All other sessions have ended.");
    expect((await ada.listSessions()).sessions).toMatchObject([{ current: true }]);
    await tandem.as.anonymous().logIn({ username, password: ada.password });
    await visitor.open("/settings/account");
    await page.getByLabel("Your password").last().fill(ada.password);
    await page.getByLabel("New password").fill("battery staple");
    await button("Change it").click();
    await told("The password is changed.");
    expect((await ada.listSessions()).sessions.length).toBe(1);
    await tandem.as.anonymous().logIn({ username, password: "battery staple" });
  });

  test("what one is told of counts at once, and goes back where the service refuses", async () => {
    const { page } = visitor;
    await visitor.open("/settings/notifications");
    await page.getByLabel("Likes of your posts – Agents").click();
    await until(async () => !(await ada.notificationPreferences()).agents.includes("post_like"));
    expect((await ada.notificationPreferences()).people).toContain("post_like");
    await page.route("**/api/notifications/preferences", (route) =>
      route.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } }),
    );
    const mentions = page.getByLabel("Mentions of you – People");
    await mentions.click();
    await told("on our side");
    expect(await mentions.isChecked()).toBe(true);
    await page.unroute("**/api/notifications/preferences");
    await visitor.open("/settings/content");
    await page.getByRole("group", { name: "Comments" }).getByLabel("Hide").click();
    await until(async () => (await ada.readPreferences()).preferences.aiComments === "hide");
  });

  test("a session that has ended in the middle is told, and what was typed stays", async () => {
    const { page } = visitor;
    await visitor.open("/settings/profile");
    await page.getByLabel("Name", { exact: true }).fill("Countess");
    await ada.logOut();
    await button("Save").click();
    await page.getByText("You are signed out.").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Countess");
    // It is there for whoever comes back by way of this tab, too.
    await visitor.open("/settings/profile");
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Username or email").fill(ada.user.username);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/profile");
    await page.locator("html[data-alive]").waitFor();
    await expect.poll(() => page.getByLabel("Name", { exact: true }).inputValue()).toBe("Countess");
    await button("Save").click();
    await told("Saved.");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Countess");
    await page.getByRole("banner").getByText("Countess").waitFor();
    const kept = await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes("kept")));
    expect(kept).toEqual([]);
  });

  test("a webhook is added, tried out, and what came of it stands in its log", async () => {
    await using receiver = await Origin.start();
    receiver.show("/hook", { status: 204 });
    const { page } = visitor;
    await visitor.open("/settings/webhooks");
    await button("Add a webhook").click();
    await page.getByLabel("Address").fill(`${receiver.url}/hook`);
    await page.getByLabel("Everything").uncheck();
    await page.getByLabel("Mentions").check();
    await main().getByRole("button", { name: "Add a webhook" }).click();
    await page.getByText(/whsec_/).waitFor();
    await button("I have kept it").click();
    await button("Send a test").click();
    await page.getByText("Delivered").waitFor();
    expect((await ada.listWebhooks()).webhooks).toMatchObject([{ types: ["mention"], enabled: true }]);
    await button("Disable").click();
    await page.getByText("Off", { exact: true }).waitFor();
  });

  test("everything is taken along, and then the account is deleted for good", async () => {
    const { page } = visitor;
    await ada.createPost({ title: "My last" });
    await visitor.open("/settings/data");
    await button("Have it made").click();
    const link = main().getByRole("link", { name: /Download/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe(`tandem-${ada.user.username}.zip`);
    await button("Delete the account").click();
    await page.getByLabel("Your password").fill("wrong");
    await button(`Delete ${ada.user.username} for good`).click();
    await page.getByText("This isn't your password.").waitFor();
    await page.getByLabel("Your password").fill(ada.password);
    await button(`Delete ${ada.user.username} for good`).click();
    await page.waitForURL(`${tandem.baseUrl}/`);
    expect((await ada.call("me")).status).toBe(401);
  });

  test("a decision is told with its reason, and can be appealed once", async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const { post } = await ada.createPost({ title: "Buy my teapots" });
    await admin.removePost({ id: post.id, reason: "Advertising" });
    const { page } = visitor;
    await visitor.open("/standing");
    await page.getByText("A post was removed").waitFor();
    await page.getByText("Advertising").waitFor();
    await button("Appeal").click();
    const why = page.getByLabel("Why should it be decided otherwise?");
    await why.fill("They were a gift.");
    await visitor.open("/standing");
    await expect.poll(() => why.inputValue()).toBe("They were a gift.");
    await button("Send the appeal").click();
    await page.getByText("Waits for an answer").waitFor();
    expect((await ada.listDecisions()).decisions).toMatchObject([{ appeal: { text: "They were a gift." } }]);
  });

  test("an agent's session has what is an agent's, and nothing that is its operator's", async () => {
    const { agent } = await tandem.as.agent(ada);
    const session = await tandem.as.agentSession(ada, agent.id);
    await using other = await visit(tandem, session);
    await other.open("/settings");
    expect(
      await other.page
        .getByRole("main")
        .getByRole("link", { name: /Webhooks/ })
        .count(),
    ).toBe(0);
    await other.open("/settings/security");
    await other.page.getByText("There is nothing here").waitFor();
    await other.open("/standing");
    await other.page.getByText("All is well").waitFor();
  });

  test.each([
    ["on a phone, light", { ...phone, colorScheme: "light" as const }],
    ["on a desk, dark", { colorScheme: "dark" as const }],
  ])("have no barriers and no complaints %s", async (_where, options) => {
    await using other = await visit(tandem, ada, options);
    for (const path of ["/settings", "/standing", ...sectionNames.map((name) => `/settings/${name}`)]) {
      await other.open(path);
      expect([path, await other.axeViolations()]).toEqual([path, []]);
    }
    expect(other.browserErrors).toEqual([]);
  });
});
