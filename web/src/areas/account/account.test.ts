import { codeAt } from "@tandem/testing/account-inputs";
import { makeAdmin } from "@tandem/testing/admins";
import type { Person } from "@tandem/testing/callers";
import { loopback, Origin } from "@tandem/testing/origin";
import { drawPicture } from "@tandem/testing/pictures";
import { until } from "@tandem/testing/ports";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

describe("the settings", () => {
  let tandem: Tandem;
  let visitor: Visitor;
  let ada: Person;

  beforeAll(async () => {
    const started = await startTandem("sqlite", {
      env: { ...loopback, LINK_CHECKS: "1", SOURCES_SPACING: "0" },
    });
    // Passkeys belong to names, not to addresses.
    started.services.baseUrl = started.baseUrl.replace("127.0.0.1", "localhost");
    tandem = { ...started, baseUrl: started.services.baseUrl };
    visitor = await visit(tandem);
  });
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
  const waitForToast = (text: string) => visitor.page.getByRole("status").getByText(text).waitFor();

  test("saves display name and bio, and shows them immediately", async () => {
    const { page } = visitor;
    await visitor.open("/settings");
    await main()
      .getByRole("link", { name: /Profile/ })
      .click();
    await page.getByLabel("Display name", { exact: true }).fill("Ada L.");
    await page.getByLabel("Bio").fill("Writes about engines.");
    await button("Save").click();
    await waitForToast("Profile saved.");
    expect((await ada.me()).user).toMatchObject({ displayName: "Ada L.", bio: "Writes about engines." });
    await page.getByRole("banner").getByText("Ada L.").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("edits links, and shows what their checks find", async () => {
    await using origin = await Origin.start();
    const page = origin.show("/me", { headers: { "content-type": "text/html" }, body: "Nothing yet" });
    const links = visitor.page.getByRole("region", { name: "Links" });
    await visitor.open("/settings/profile");
    await links.getByLabel("Link 1", { exact: true }).fill(page);
    await links.getByRole("button", { name: "Add a link" }).click();
    await links.getByLabel("Link 2", { exact: true }).fill("not a link");
    await links.getByRole("button", { name: "Save" }).click();
    await expect
      .poll(() => links.getByLabel("Link 2", { exact: true }).getAttribute("aria-invalid"))
      .toBe("true");
    await links.getByRole("button", { name: "Remove link 2" }).click();
    await links.getByRole("button", { name: "Save" }).click();
    await links.getByText("Not verified: neither the page nor its site names your profile.").waitFor();
    await links.getByText("How to verify a link").click();
    const back = await links.getByText('rel="me" href=').innerText();
    origin.show("/me", { headers: { "content-type": "text/html" }, body: back });
    expect(await visitor.axeViolations()).toEqual([]);
    await links.getByRole("button", { name: "Check now" }).click();
    await links.getByText("Verified now").waitFor();
    expect((await ada.me()).user.links).toMatchObject([{ url: page, verifiedAt: expect.any(String) }]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("crops a picture to a square, and uploads formats the browser can't read unchanged", async () => {
    const { page } = visitor;
    await visitor.open("/settings/profile");
    const files = page.getByLabel("Choose picture").and(page.locator("input"));
    await files.setInputFiles({
      name: "wide.png",
      mimeType: "image/png",
      buffer: await drawPicture({ width: 300, height: 100 }),
    });
    await page.getByLabel("Zoom").fill("2");
    await page.getByLabel("Horizontal").fill("270");
    await button("Use this picture").click();
    await waitForToast("Profile picture updated.");
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
    await page.getByText("can't preview odd.heic").waitFor();
    await button("Use this picture").click();
    // The error comes from the service.
    await page.getByRole("status").getByText(/image/).waitFor();
  });

  test("sets a banner, which the profile shows, and removes it", async () => {
    const { page } = visitor;
    await visitor.open("/settings/profile");
    const buffer = await drawPicture({ width: 300, height: 100 });
    const input = page.getByLabel("Choose banner").and(page.locator("input"));
    await input.setInputFiles({ name: "wide.png", mimeType: "image/png", buffer });
    await waitForToast("Banner updated.");
    const { bannerUrl, username } = (await ada.me()).user;
    await visitor.open(`/creators/native/${username}`);
    await page.locator(`header img[src="${bannerUrl}"]`).waitFor();
    await visitor.open("/settings/profile");
    await button("Remove").click();
    await waitForToast("Banner removed.");
    expect((await ada.me()).user.bannerUrl).toBe(null);
  });

  test("remembers theme and language, and the server renders with them", async () => {
    const { page } = visitor;
    const settingsHtml = async () =>
      (await page.request.get(`${tandem.baseUrl}/settings`, { headers: { accept: "text/html" } })).text();
    await visitor.open("/settings/appearance");
    await page.getByLabel("Dark", { exact: true }).check();
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    expect(await background()).toBe("rgb(22, 21, 18)");
    expect(await settingsHtml()).toContain('data-theme="dark"');
    await visitor.open("/settings/appearance");
    expect(await page.getByLabel("Dark", { exact: true }).isChecked()).toBe(true);
    await page.getByRole("radio", { name: "System" }).check();
    expect(await settingsHtml()).not.toContain("data-theme");
    await page.getByRole("radio", { name: "Deutsch" }).check();
    await page.getByRole("heading", { level: 1, name: "Darstellung" }).waitFor();
    expect(await settingsHtml()).toContain('lang="de"');
    expect(visitor.browserErrors).toEqual([]);
  });

  test("turns two-factor authentication on, shows recovery codes, and turns it off with a recovery code", async () => {
    const { page } = visitor;
    await visitor.open("/settings/security");
    await button("Set up").click();
    await page.getByLabel("Current password").fill("wrong");
    await button("Continue").click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByLabel("Current password").fill(ada.password);
    await button("Continue").click();
    await page.getByRole("img", { name: /QR code/ }).waitFor();
    const secret = await page.locator("code").innerText();
    await page.getByLabel("6-digit code from the app").fill(codeAt(secret, Date.now()));
    await button("Turn on").click();
    await page.getByText("Save your recovery codes").waitFor();
    const [recovery = ""] = await page.getByRole("status").getByRole("listitem").allInnerTexts();
    await button("I've saved them").click();
    await page.getByText("10 recovery codes left.").waitFor();
    expect((await ada.readSecurity()).security.twoFactor).toBe(true);
    await button("Generate new recovery codes").click();
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByLabel("Authentication code").fill(codeAt(secret, Date.now() + 30_000));
    await button("Generate new recovery codes").click();
    await page.getByText("Save your recovery codes").waitFor();
    const [renewed = ""] = await page.getByRole("status").getByRole("listitem").allInnerTexts();
    expect(renewed).not.toBe(recovery);
    await button("I've saved them").click();
    await button("Turn off").click();
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByLabel("Authentication code or recovery code").fill(renewed);
    await button("Turn off").click();
    await button("Set up").waitFor();
    expect((await ada.readSecurity()).security.twoFactor).toBe(false);
  });

  test("adds a passkey that can log in", async () => {
    await using device = await visit(tandem, ada);
    const { page } = device;
    await device.addVirtualAuthenticator();
    await device.open("/settings/security");
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByLabel("Passkey name").fill("This browser");
    await page.getByLabel("Current password").fill(ada.password);
    await page.getByRole("button", { name: "Create passkey" }).click();
    await page.getByText("This browser").waitFor();
    expect((await ada.listPasskeys()).passkeys).toMatchObject([{ name: "This browser" }]);
    await page.context().clearCookies();
    await device.open("/login?next=/settings/security");
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await page.waitForURL(`${tandem.baseUrl}/settings/security`);
    await page.locator("html[data-alive]").waitFor();
    // Without a password, the passkey takes its place.
    const setHash = (password_hash: string | null) =>
      tandem.storage.write((tx) =>
        tx.updateTable("users").set({ password_hash }).where("id", "=", ada.user.id).execute(),
      );
    const { password_hash } = await tandem.storage.read
      .selectFrom("users")
      .select("password_hash")
      .where("id", "=", ada.user.id)
      .executeTakeFirstOrThrow();
    await page.getByText("1 passkey", { exact: true }).waitFor();
    await setHash(null);
    await tandem.storage.write((tx) => tx.updateTable("sessions").set({ proven_at: 0 }).execute());
    await device.open("/settings/security");
    await page.getByRole("button", { name: "Remove This browser" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("You logged in too long ago.").waitFor();
    await page.getByRole("button", { name: "Confirm it's you" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("Confirmed. You can continue.").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Remove", exact: true }).click();
    await until(async () => (await ada.listPasskeys()).passkeys.length === 0);
    await setHash(password_hash);
    // The refusal, before the passkey took the password's place.
    expect(device.browserErrors).toEqual([expect.stringContaining("403")]);
  });

  test("signs out other sessions, also when the password changes", async () => {
    const { page } = visitor;
    const { username } = ada.user;
    await tandem.as.anonymous().logIn({ username, password: ada.password });
    await visitor.open("/settings/security");
    await button("Sign out all other sessions").click();
    await waitForToast("All other sessions signed out.");
    expect((await ada.listSessions()).sessions).toMatchObject([{ current: true }]);
    await tandem.as.anonymous().logIn({ username, password: ada.password });
    await visitor.open("/settings/account");
    await page.getByLabel("Current password").last().fill(ada.password);
    await page.getByLabel("New password").fill("battery staple");
    await button("Save password").click();
    await waitForToast("Password changed.");
    expect((await ada.listSessions()).sessions.length).toBe(1);
    await tandem.as.anonymous().logIn({ username, password: "battery staple" });
  });

  test("saves notification choices immediately, and reverts one that the service rejects", async () => {
    const { page } = visitor;
    await visitor.open("/settings/notifications");
    // Agents have no friends, so there is nothing to choose.
    expect(await page.getByRole("checkbox", { name: /^Friend requests/ }).count()).toBe(1);
    await page.getByLabel("Likes on your posts – Agents").click();
    await until(async () => !(await ada.notificationPreferences()).agents.includes("post_like"));
    expect((await ada.notificationPreferences()).people).toContain("post_like");
    await page.route("**/api/notifications/preferences", (route) =>
      route.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } }),
    );
    const mentions = page.getByLabel("Mentions – People");
    await mentions.click();
    await waitForToast("on our side");
    expect(await mentions.isChecked()).toBe(true);
    await page.unroute("**/api/notifications/preferences");
    await visitor.open("/settings/content");
    await page.getByRole("group", { name: "Comments" }).getByLabel("Hide").click();
    await until(async () => (await ada.readPreferences()).preferences.aiComments === "hide");
  });

  test("keeps what was typed when the session has ended", async () => {
    const { page } = visitor;
    await visitor.open("/settings/profile");
    await page.getByLabel("Display name", { exact: true }).fill("Countess");
    await ada.logOut();
    await button("Save").click();
    await page.getByText("You've been logged out.").waitFor();
    expect(await page.getByLabel("Display name", { exact: true }).inputValue()).toBe("Countess");
    // It is restored after logging in again in this tab.
    await visitor.open("/settings/profile");
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Username or email").fill(ada.user.username);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings/profile");
    await page.locator("html[data-alive]").waitFor();
    await expect.poll(() => page.getByLabel("Display name", { exact: true }).inputValue()).toBe("Countess");
    await button("Save").click();
    await waitForToast("Profile saved.");
    expect(await page.getByLabel("Display name", { exact: true }).inputValue()).toBe("Countess");
    await page.getByRole("banner").getByText("Countess").waitFor();
    const storedKeys = await page.evaluate(() =>
      Object.keys(localStorage).filter((name) => name.includes("kept")),
    );
    expect(storedKeys).toEqual([]);
  });

  test("adds a webhook, sends a test, and lists the delivery", async () => {
    await using receiver = await Origin.start();
    receiver.show("/hook", { status: 204 });
    const { page } = visitor;
    await visitor.open("/settings/webhooks");
    await button("Add webhook").click();
    await page.getByLabel("URL").fill(`${receiver.url}/hook`);
    await page.getByLabel("All notifications").uncheck();
    await page.getByLabel("Mentions").check();
    await main().getByRole("button", { name: "Add webhook" }).click();
    await page.getByText(/whsec_/).waitFor();
    await button("I've saved it").click();
    await button("Send test").click();
    await page.getByText("Delivered", { exact: true }).waitFor();
    await main().getByText("Active", { exact: true }).waitFor();
    expect((await ada.listWebhooks()).webhooks).toMatchObject([{ types: ["mention"], enabled: true }]);
    await button("Disable").click();
    await page.getByText("Disabled", { exact: true }).waitFor();
  });

  test("creates an export, and then permanently deletes the account", async () => {
    const { page } = visitor;
    await ada.createPost({ title: "My last" });
    await visitor.open("/settings/data");
    await button("Create export").click();
    const link = main().getByRole("link", { name: /Download/ });
    await link.waitFor();
    const [download] = await Promise.all([page.waitForEvent("download"), link.click()]);
    expect(download.suggestedFilename()).toBe(`tandem-${ada.user.username}.zip`);
    await button("Delete account").click();
    await page.getByLabel("Current password").fill("wrong");
    await button(`Permanently delete @${ada.user.username}`).click();
    await page.getByText("Wrong password.").waitFor();
    await page.getByLabel("Current password").fill(ada.password);
    await button(`Permanently delete @${ada.user.username}`).click();
    await page.waitForURL(`${tandem.baseUrl}/`);
    expect((await ada.call("me")).status).toBe(401);
  });

  test("shows a moderation decision with its reason, and accepts one appeal", async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const { post } = await ada.createPost({ title: "Buy my teapots", provenance: "ai_assisted" });
    await admin.removePost({ id: post.id, reason: "Advertising" });
    const { page } = visitor;
    await visitor.open(`/posts/${post.id}`);
    await page.getByText("Moderators removed your post.").waitFor();
    await page.getByRole("link", { name: "See why" }).click();
    await page.getByText("Post removed").waitFor();
    await page.getByRole("blockquote").getByTitle("Written by a person with help from AI").waitFor();
    await page.getByText("Advertising").waitFor();
    await button("Appeal").click();
    const appeal = page.getByLabel("Why should we change this decision?");
    await appeal.fill("They were a gift.");
    await visitor.open("/standing");
    await expect.poll(() => appeal.inputValue()).toBe("They were a gift.");
    await button("Send appeal").click();
    await page.getByText("Pending").waitFor();
    expect((await ada.listDecisions()).decisions).toMatchObject([{ appeal: { text: "They were a gift." } }]);
  });

  test("shows an agent's session only the settings that agents have", async () => {
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
    await other.page.getByText("Page not found").waitFor();
    await other.open("/standing");
    await other.page.getByText("No violations").waitFor();
  });
});
