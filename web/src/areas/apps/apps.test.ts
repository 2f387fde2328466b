import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DEVICE_GRANT } from "@tandem/contract/oauth";
import type { Caller } from "@tandem/testing/callers";
import { authorizeUrl, challengeOf, connectedApp, post, redeem, registerApp } from "@tandem/testing/oauth";
import { plantAuthorizationRequest } from "@tandem/testing/planted-authorization";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

describe("an app", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("gets the access and the account that someone chooses after logging in, until they remove it", async () => {
    const { baseUrl } = tandem;
    const ada = await tandem.as.human("ada");
    const redirect = await startApp();
    const clientId = await registerApp(baseUrl, { redirect_uris: ["http://127.0.0.1/done"] });
    const verifier = randomBytes(32).toString("base64url");
    await using visitor = await visit(tandem);
    const { page } = visitor;
    const fields = { code_challenge: challengeOf(verifier), redirect_uri: redirect };
    await page.goto(authorizeUrl(baseUrl, clientId, fields));
    await page.getByRole("main").getByRole("link", { name: "Log in" }).click();
    await page.getByLabel("Username or email").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("main").getByRole("button", { name: "Log in", exact: true }).click();
    await page.getByRole("heading", { name: "Loom reader wants access to your account" }).waitFor();
    await page.getByText("Not verified: Loom reader is what the app calls itself.").waitFor();
    await page.getByText("This app runs on your device.").waitFor();
    await page.getByLabel("Acts as").selectOption("A new agent");
    await page.getByLabel("Username").fill("ada");
    await page.getByLabel("Write, edit and delete comments").uncheck();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText("This username is taken.").waitFor();
    await page.getByLabel("Username").fill("loom_bot");
    await page.getByRole("button", { name: "Allow" }).click();
    await page.waitForURL(`${redirect}?*`);
    const code = new URL(page.url()).searchParams.get("code") ?? "";
    const begun = { clientId, verifier, request: "", cookie: "" };
    const { body } = await redeem(baseUrl, begun, code, { redirect_uri: redirect });
    expect(body.scope).toBe("read posts:write");
    const app = tandem.as.bearer(String(body.access_token));
    expect((await app.me()).user.username).toBe("loom_bot");

    const expired = await connectedApp(tandem, ada);
    await tandem.storage.write((tx) =>
      tx.updateTable("keys").set({ expires_at: 1 }).where("id", "=", expired.keyId).execute(),
    );
    await visitor.open("/settings/apps");
    const item = page.getByRole("listitem").filter({ hasText: "Acts as @loom_bot" });
    await item.getByText("Not verified").waitFor();
    await item.getByText("Publish, edit and delete posts").waitFor();
    await page.getByRole("button", { name: "Remove access of Loom reader" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove access" }).click();
    await page.getByText("No app is connected.").waitFor();
    expect((await app.call("me")).status).toBe(401);
    // The first page requires an account (401), and a username was taken (400).
    expect(visitor.browserErrors.filter((error) => !/40[01]/.test(error))).toEqual([]);
  });

  test("needs approval again for an account for which its key does, unless the person chooses otherwise", async () => {
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    const redirect = await startApp();
    const clientId = await registerApp(tandem.baseUrl, { redirect_uris: ["http://127.0.0.1/done"] });
    const fields = { code_challenge: challengeOf("v".repeat(43)), redirect_uri: redirect };
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    for (const [proposed, chosen] of [
      [false, true],
      [true, false],
    ]) {
      await page.goto(authorizeUrl(tandem.baseUrl, clientId, fields));
      await page.locator("html[data-alive]").waitFor();
      const approval = page.getByLabel("Require my approval");
      expect(await approval.isChecked()).toBe(false);
      await page.getByLabel("Acts as").selectOption(String(agent.id));
      expect(await approval.isChecked()).toBe(proposed);
      await approval.setChecked(chosen === true);
      await page.getByRole("button", { name: "Allow" }).click();
      await page.waitForURL(`${redirect}?*`);
    }
    const ofApp = (await ada.listKeys()).keys.filter(({ app }) => app !== null);
    expect(ofApp.map(({ approval }) => approval)).toEqual([false, true]);
  });

  test("gets nothing from an account that the page doesn't show, nor after the request was denied", async () => {
    const { baseUrl } = tandem;
    const [ada, eve] = [await tandem.as.human(), await tandem.as.human()];
    const redirect = await startApp();
    const clientId = await registerApp(baseUrl, { redirect_uris: ["http://127.0.0.1/done"] });
    const fields = { code_challenge: challengeOf("v".repeat(43)), redirect_uri: redirect };
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await page.goto(authorizeUrl(baseUrl, clientId, fields));
    await page.getByText(`Yourself: @${ada.user.username}`).waitFor({ state: "attached" });
    const [[, name = "", value = ""] = []] = (eve.options.headers?.cookie ?? "").matchAll(
      /([^=; ]+)=([^;]+)/g,
    );
    await page.context().addCookies([{ name, value, url: baseUrl }]);
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByText(`Yourself: @${eve.user.username}`).waitFor({ state: "attached" });
    expect((await eve.listKeys()).keys).toEqual([]);

    const second = await page.context().newPage();
    await second.goto(page.url());
    await second.locator("html[data-alive]").waitFor();
    await page.getByRole("button", { name: "Deny" }).click();
    await page.waitForURL(`${redirect}?*`);
    await page.goBack();
    await page.getByRole("heading", { name: "This request isn't open any more" }).waitFor();
    await second.getByRole("button", { name: "Allow" }).click();
    await second.getByRole("heading", { name: "This request isn't open any more" }).waitFor();
  });

  test.each([
    { host: "loom.example", isVerified: true, redirectHost: "loom.example", warning: "" },
    {
      host: "loom.example",
      isVerified: true,
      redirectHost: "other.example",
      warning: "Access doesn't go to the app's own website. Only continue if you trust other.example, too.",
    },
    {
      host: "loom.example",
      isVerified: false,
      redirectHost: "loom.example",
      warning: "Anyone can use this name. Only continue if you trust loom.example.",
    },
  ])("$redirectHost, described by $host: $warning", async ({ host, isVerified, redirectHost, warning }) => {
    const asking = { app: { name: "Claude", host, isVerified }, receiver: "website", redirectHost };
    const request = await plantAuthorizationRequest(tandem.storage, asking);
    const html = await pageFor(await tandem.as.human(), `/connect/${request}`);
    expect(warningIn(html)).toBe(warning);
    expect(html).toMatch(/<bdi class="font-bold[^>]*>loom.example</);
  });

  test("is announced to readers who aren't logged in, and to those who act as an agent", async () => {
    const path = `/connect/${await plantAuthorizationRequest(tandem.storage)}`;
    expect(await pageFor(tandem.as.anonymous(), path)).toContain("Log in to connect an app");
    const ada = await tandem.as.human();
    const { agent } = await tandem.as.agent(ada);
    await using visitor = await visit(tandem, await tandem.as.agentSession(ada, agent.id));
    const { page } = visitor;
    await visitor.open(path);
    await page.getByRole("main").getByRole("button", { name: "Switch back to your account" }).click();
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.getByRole("main").getByRole("button", { name: "Continue", exact: true }).click();
    await page.getByRole("heading", { name: "Loom reader wants access to your account" }).waitFor();
  });

  test("on a device shows a code, which someone enters and denies", async () => {
    const clientId = await registerApp(tandem.baseUrl, { redirect_uris: [], grant_types: [DEVICE_GRANT] });
    const { body } = await post(tandem.baseUrl, "device_authorization", { client_id: clientId });
    await using visitor = await visit(tandem, await tandem.as.human());
    const { page } = visitor;
    await visitor.open("/device");
    await page.getByLabel("Code").fill(String(body.user_code).toLowerCase());
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText(String(body.user_code)).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Deny" }).click();
    await page.getByText("You denied access to Loom reader").waitFor();
    const fields = { grant_type: DEVICE_GRANT, client_id: clientId, device_code: String(body.device_code) };
    expect((await post(tandem.baseUrl, "token", fields)).body.error).toBe("access_denied");
  });
});

/** The page as the server renders it, in English. */
async function pageFor(reader: Caller, path: string): Promise<string> {
  const { baseUrl = "", headers } = reader.options;
  const response = await fetch(baseUrl + path, {
    headers: { ...headers, accept: "text/html", "accept-language": "en" },
  });
  return response.text();
}

/** The text of the page's warning; empty if there is none. */
function warningIn(html: string): string {
  const [, warning = ""] = /<p class="[^"]*text-danger">(.*?)<\/p>/.exec(html) ?? [];
  return warning.replace(/<[^>]*>/g, "").replaceAll("&#x27;", "'");
}

/** Starts an app in the browser's device, which ends with the test, and returns the address that it is sent back to. */
async function startApp(): Promise<string> {
  const server = createServer((_request, response) => response.end("The app"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/done`;
}
