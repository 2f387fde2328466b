import { type Browser, openBrowser } from "@tandem/testing/browser";
import { MailServer } from "@tandem/testing/mail-server";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const password = "correct horse";

describe("in a browser", () => {
  let tandem: Tandem;
  let post: MailServer;
  let browser: Browser;
  let home: string;
  beforeAll(async () => {
    post = await MailServer.start();
    tandem = await startTandem("sqlite", { env: post.env });
    // Passkeys belong to names, not to addresses.
    home = tandem.baseUrl.replace("127.0.0.1", "localhost");
    tandem.house.baseUrl = home;
    browser = await openBrowser();
  }, 120_000);
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await tandem.stop();
    await post[Symbol.asyncDispose]();
  });

  test("a mailed link confirms an address, once its button is pressed", async () => {
    const ada = await tandem.as.human();
    const { page } = browser;
    const { text, token } = await post.mailTo(ada.user.email, /Confirm/);
    await page.goto(String(/http\S+/.exec(text)?.[0]));
    expect((await ada.readSecurity()).security.emailVerified).toBe(false);
    await page.getByRole("button").click();
    await page.getByText("The address is confirmed.").waitFor();
    expect((await ada.readSecurity()).security.emailVerified).toBe(true);
    await page.goto(`${home}/account/reset`);
    await page.goto(`${home}/account/confirm#token=${token}`);
    await page.getByRole("button").click();
    await page.getByText("was used already").waitFor();
  });

  test("a mailed link sets a new password", async () => {
    const ada = await tandem.as.human();
    const { page } = browser;
    await tandem.as.anonymous().forgotPassword({ email: ada.user.email });
    const { text } = await post.mailTo(ada.user.email, /new password/);
    await page.goto(String(/http\S+/.exec(text)?.[0]));
    await page.getByLabel("New password").fill("battery staple");
    await page.getByRole("button").click();
    await page.getByText("The password is set.").waitFor();
    await tandem.as.anonymous().logIn({ username: ada.user.username, password: "battery staple" });
  });

  test("a passkey is made and signs in", async () => {
    const ada = await tandem.as.human();
    const { page, context } = browser;
    const [name = "", value = ""] = String(ada.options.headers?.cookie).split("=");
    await context.addCookies([{ name, value, url: home }]);
    await page.goto(`${home}/account/confirm`);
    await browser.plugInDevice();
    const made = await page.evaluate(async (password) => {
      const send = async (path: string, body: object) => {
        const headers = { "content-type": "application/json" };
        return (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
      };
      const { options } = await send("/api/users/me/passkeys/options", { password });
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      const made = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
      const { id, response } = made.toJSON();
      return send("/api/users/me/passkeys", { id, ...response, name: "This browser" });
    }, password);
    expect(made).toMatchObject({ passkey: { name: "This browser" } });
    await context.clearCookies();
    const user = await page.evaluate(async () => {
      const { options } = await (await fetch("/api/auth/passkey/options", { method: "POST" })).json();
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
      const proof = (await navigator.credentials.get({ publicKey })) as PublicKeyCredential;
      const { id, response } = proof.toJSON();
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ id, ...response });
      await fetch("/api/auth/passkey", { method: "POST", headers, body });
      return (await (await fetch("/api/auth/me")).json()).user;
    });
    expect(user).toEqual(ada.user);
  });
});
