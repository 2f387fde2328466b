import { HOUR } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { RegistrationMode } from "@tandem/contract/registration-modes";
import { addInvitation } from "@tandem/server/features/accounts/invitations.queries";
import { codeAt } from "@tandem/testing/account-inputs";
import type { Person } from "@tandem/testing/callers";
import { Issuer } from "@tandem/testing/issuer";
import { MailServer } from "@tandem/testing/mail-server";
import { loopback } from "@tandem/testing/origin";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import fc from "fast-check";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { isLocalPath } from "../../shared/addresses.ts";
import { nextOf } from "./next.ts";

test("`next` only allows pages of this site", () => {
  for (const next of ["/", "/settings", "/posts/1?a=b#c", "/search?q=%2F%2Fevil.example"])
    expect(nextOf({ next })).toBe(next);
  const bad = [
    "//evil.example",
    "/\\evil.example",
    "https://evil.example",
    "javascript:alert(1)",
    "/\t/evil.example",
  ];
  for (const next of [...bad, "", "/login?next=/login", "/account/reset", undefined])
    expect(nextOf({ next })).toBe("/");
});

test("`isLocalPath` rejects every way to write another host", () => {
  const parts = ["/", "\\", "\t", "\n", "\0", ".", "%09", "?", ":", "@", "evil.example"];
  const ours = "https://ours.example";
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.constantFrom(...parts), { maxLength: 6 }), (rooted, written) => {
      const address = (rooted ? "/" : "") + written.join("");
      if (isLocalPath(address)) expect(new URL(address, ours).origin).toBe(ours);
      expect(new URL(nextOf({ next: address }), ours).origin).toBe(ours);
    }),
    { numRuns: 20_000 },
  );
});

describe("logging in", () => {
  let tandem: Tandem;
  let post: MailServer;
  let google: Issuer;
  let visitor: Visitor;

  beforeAll(async () => {
    [post, google] = await Promise.all([MailServer.start(), Issuer.start()]);
    const env = { ...post.env, ...loopback, GOOGLE_CLIENT_ID: google.clientId, GOOGLE_ISSUER: google.url };
    const started = await startTandem("sqlite", { env });
    // Passkeys belong to names, not to addresses.
    started.services.baseUrl = started.baseUrl.replace("127.0.0.1", "localhost");
    tandem = { ...started, baseUrl: started.services.baseUrl };
    visitor = await visit(tandem);
  });
  afterAll(async () => {
    await visitor[Symbol.asyncDispose]();
    await Promise.all([tandem.stop(), google.stop(), post[Symbol.asyncDispose]()]);
  });
  beforeEach(async () => {
    visitor.browserErrors.length = 0;
    await visitor.page.context().clearCookies();
  });

  const button = (name: string) => visitor.page.getByRole("main").getByRole("button", { name, exact: true });
  const heading = (name: string) => visitor.page.getByRole("heading", { level: 1, name });
  const at = (path: string) => visitor.page.waitForURL(tandem.baseUrl + path);
  const fillIn = async (username: string, password: string) => {
    await visitor.page.getByLabel("Username or email").fill(username);
    await visitor.page.getByLabel("Password", { exact: true }).fill(password);
  };
  const signedInUser = async () =>
    visitor.page.evaluate(async () => (await (await fetch("/api/auth/me")).json()).user?.username ?? null);

  /** Turns on two-factor authentication; resolves to a code generator and the recovery codes. */
  async function enableTwoFactor(person: Person) {
    const { secret } = await person.beginTwoFactor({ password: person.password });
    const code = (later = 0) => codeAt(String(secret), Date.now() + later);
    const { recoveryCodes } = await person.confirmTwoFactor({ code: code() });
    return { code, recoveryCodes: recoveryCodes ?? [] };
  }

  test("signs up by keyboard, and continues to the requested page", async () => {
    const { page } = visitor;
    await visitor.open("/settings");
    await page.getByRole("main").getByRole("link", { name: "Sign up" }).click();
    await page.getByLabel("Username").focus();
    await page.keyboard.type("grace_h");
    await page.keyboard.press("Tab");
    await page.keyboard.type("grace@example.org");
    await page.keyboard.press("Tab");
    await page.keyboard.type("correct horse");
    await page.keyboard.press("Enter");
    await at("/settings");
    await heading("Settings").waitFor();
    expect(await signedInUser()).toBe("grace_h");
    // The first page requires an account, so it returns 401.
    expect(visitor.browserErrors.filter((one) => !one.includes("401"))).toEqual([]);
  });

  test("asks newcomers for what the server requires, and says when they have to wait", async () => {
    const { page } = visitor;
    const configure = (registration: RegistrationMode, signUpWork = 0) =>
      Object.assign(tandem.services.config, { registration, signUpWork });
    const signUpAs = async (username: string) => {
      await page.getByLabel("Username").fill(username);
      await page.getByLabel("Email").fill(`${username}@example.org`);
      await page.getByLabel("Password", { exact: true }).fill("correct horse");
    };
    configure("closed");
    await visitor.open("/signup");
    await heading("Sign-up is closed").waitFor();

    configure("approval", 1);
    await visitor.open("/signup");
    await signUpAs("patient_p");
    await page.getByLabel("Why do you want to join?").fill("I write about engines.");
    await button("Create an account").click();
    await heading("Your account is waiting for approval").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open("/login");
    await fillIn("patient_p", "correct horse");
    await button("Log in").click();
    await page.getByText("still waiting for an admin's approval").waitFor();

    configure("invitation");
    const { code } = await tandem.storage.write((tx) =>
      addInvitation(tx, { userId: null, uses: 1, expiresAt: Date.now() + HOUR, now: Date.now() }),
    );
    await visitor.open("/about");
    await visitor.open(`/signup#invitation=${code}`);
    expect(await page.getByLabel("Invitation code").inputValue()).toBe(code);
    await signUpAs("invited_i");
    await button("Create an account").click();
    await at("/welcome/topics");
    expect(await signedInUser()).toBe("invited_i");
    configure("open");
  });

  test("shows validation errors at their fields before sending anything", async () => {
    const { page } = visitor;
    await visitor.open("/signup");
    let requestCount = 0;
    page.on("request", (request) => void (request.method() === "POST" && requestCount++));
    await page.getByLabel("Username").fill("ada lovelace");
    await page.getByLabel("Email").fill("ada");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await button("Create an account").click();
    const expectedErrors = [
      ["Username", "Use only letters A to Z, numbers, and _ . -"],
      ["Email", "Enter a valid email address."],
      ["Password", `Use at least ${limits.password.min} characters.`],
    ] as const;
    for (const [label, message] of expectedErrors) {
      const field = page.getByLabel(label, { exact: true });
      await expect.poll(() => field.getAttribute("aria-invalid")).toBe("true");
      await page.getByText(message, { exact: true }).waitFor();
    }
    await page.getByLabel("Username").and(page.locator(":focus")).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByLabel("Username").fill("ada_l");
    await expect.poll(() => page.getByLabel("Username").getAttribute("aria-invalid")).toBe(null);
    expect(requestCount).toBe(0);
  });

  test("shows everything that the server refuses at once", async () => {
    const taken = await tandem.as.human();
    const { page } = visitor;
    await visitor.open("/signup");
    await page.getByLabel("Username").fill(taken.user.username);
    await page.getByLabel("Email").fill(taken.user.email);
    await page.getByLabel("Password", { exact: true }).fill("password1");
    await page.keyboard.press("Enter");
    for (const text of [
      "This username is taken",
      "Another account uses this email address",
      "This password is too easy to guess",
    ])
      await page.getByText(text).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("username");
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("shows what the server would refuse next to what the browser finds invalid", async () => {
    const taken = await tandem.as.human();
    const { page } = visitor;
    await visitor.open("/signup");
    await page.getByLabel("Username").fill(taken.user.username);
    await page.getByLabel("Email").fill(taken.user.email);
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.keyboard.press("Enter");
    for (const text of [
      "This username is taken",
      "Another account uses this email address",
      `Use at least ${limits.password.min} characters.`,
    ])
      await page.getByText(text).waitFor();
    await page.getByLabel("Username").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Username").fill("free_name");
    await page.getByLabel("Password", { exact: true }).fill("shorter");
    await page.keyboard.press("Enter");
    await page.getByText("This username is taken").waitFor({ state: "detached" });
    await page.getByText("Another account uses this email address").waitFor();
    expect(await signedInUser()).toBe(null);
  });

  test("returns to the previous page after logging in", async () => {
    const ada = await tandem.as.human();
    const { post: made } = await ada.createPost({ title: "Liked" });
    const { page } = visitor;
    await visitor.open("/about");
    await visitor.open(`/posts/${made.id}`);
    await page.getByRole("link", { name: /like/i }).first().click();
    await heading("Log in").waitFor();
    await page.getByText("Log in to continue.").waitFor();
    await fillIn(ada.user.username, ada.password);
    await button("Log in").click();
    await at(`/posts/${made.id}`);
    await page.locator("html[data-alive]").waitFor();
    // What they pressed has happened.
    await page.getByRole("button", { name: "Like, 1 like", pressed: true }).waitFor();
    await expect.poll(async () => (await ada.readPost({ id: made.id })).post.liked).toBe(true);
    await page.goBack();
    await at(`/posts/${made.id}`);
    await page.goBack();
    await at("/about");
  });

  test("shows a taken username at its field, and keeps what was typed", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    await visitor.open("/signup");
    await page.getByLabel("Username").fill(ada.user.username);
    await page.getByLabel("Email").fill("other@example.org");
    await page.getByLabel("Password", { exact: true }).fill("correct horse");
    await button("Create an account").click();
    await page.getByText("This username is taken. Choose another one.").waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("username");
    expect(await page.getByLabel("Email").inputValue()).toBe("other@example.org");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("correct horse");
  });

  test("explains a wrong password, a rate limit, a server error and being offline, and keeps what was typed", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    await visitor.open(`/login?next=${encodeURIComponent("//evil.example")}`);
    await fillIn(ada.user.username, "wrong");
    await button("Log in").click();
    await page.getByText("Wrong username or password").waitFor();
    const responses = [
      [429, { error: "Too many.", code: "rate_limited" }, "in 7 seconds"],
      [500, { error: "Oops.", code: "internal" }, "on our side"],
    ] as const;
    for (const [status, body, message] of responses) {
      await page.route("**/api/auth/login", (route) =>
        route.fulfill({ status, json: body, headers: { "retry-after": "7" } }),
      );
      await button("Log in").click();
      await page.getByText(message).waitFor();
      await page.unroute("**/api/auth/login");
    }
    await page.context().setOffline(true);
    await button("Log in").click();
    await page.getByText("Can't reach Tandem").waitFor();
    await page.context().setOffline(false);
    expect(await page.getByLabel("Username or email").inputValue()).toBe(ada.user.username);
    await page.getByLabel("Password", { exact: true }).fill(ada.password);
    await page.keyboard.press("Enter");
    // Another site's address is ignored.
    await at("/");
    expect(await signedInUser()).toBe(ada.user.username);
  });

  test("asks for a code if two-factor authentication is on, and accepts a recovery code", async () => {
    const ada = await tandem.as.human();
    const { code, recoveryCodes } = await enableTwoFactor(ada);
    const { page } = visitor;
    for (const right of [code(30_000), String(recoveryCodes[0])]) {
      await page.context().clearCookies();
      await visitor.open("/login?next=/settings/security");
      await fillIn(ada.user.username, ada.password);
      await button("Log in").click();
      await heading("Two-factor authentication").waitFor();
      await page.getByLabel("Code").fill("000000");
      await button("Continue").click();
      await page.getByText("This code is wrong").waitFor();
      if (right === recoveryCodes[0]) await button("Use a recovery code instead").click();
      await page.getByLabel(/code/i).fill(right);
      await button("Continue").click();
      await at("/settings/security");
    }
    expect((await ada.readSecurity()).security.recoveryCodesLeft).toBe(recoveryCodes.length - 1);
  });

  test("signs up through Google's page, and ignores a response that wasn't requested", async () => {
    const { page } = visitor;
    await page.route(`${google.url}/o/oauth2/v2/auth?*`, async (route) => {
      const query = new URL(route.request().url()).searchParams;
      const about = { sub: "g-9", email: "hedy@example.org", email_verified: true, name: "Hedy" };
      const idToken = await google.token({ ...about, nonce: String(query.get("nonce")) });
      const response = new URLSearchParams({ id_token: idToken, state: String(query.get("state")) });
      await route.fulfill({ status: 302, headers: { location: `${query.get("redirect_uri")}#${response}` } });
    });
    await visitor.open("/login?next=/settings");
    expect(await page.getByText("Continue with Apple").count()).toBe(0);
    await button("Continue with Google").click();
    await at("/settings");
    expect(await signedInUser()).toBe("Hedy");
    // A response that wasn't requested is ignored.
    await page.context().clearCookies();
    await visitor.open(`/login#id_token=${await google.token({ sub: "g-evil" })}&state=1`);
    await page.getByLabel("Username or email").waitFor();
    expect(await signedInUser()).toBe(null);
  });

  test("confirms an email address only on click, and sends the token only then", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
    const { text, token } = await post.mailTo(ada.user.email, /Confirm/);
    await visitor.open(new URL(String(/http\S+/.exec(text)?.[0])).href.replace(tandem.baseUrl, ""));
    await heading("Confirm your email address").waitFor();
    await fillIn(ada.user.username, ada.password);
    await button("Log in").click();
    await button("Confirm").waitFor();
    expect(sent.filter((one) => one.includes(token))).toEqual([]);
    expect((await ada.readSecurity()).security.emailVerified).toBe(false);
    await button("Confirm").click();
    await heading("Email address confirmed").waitFor();
    expect((await ada.readSecurity()).security.emailVerified).toBe(true);
    await visitor.open("/account/reset");
    await visitor.open(`/account/confirm#token=${token}`);
    await button("Confirm").click();
    await page.getByText("was already used").waitFor();
  });

  test("chooses a digest in the settings, and turns it off with the emailed link, logged out", async () => {
    const ada = await tandem.as.human();
    const chosen = async () => (await ada.readPreferences()).preferences.emailDigest;
    await using member = await visit(tandem, ada);
    await member.open("/settings/notifications");
    await member.page.getByRole("group", { name: "How often" }).getByText("Weekly").click();
    await expect.poll(chosen).toBe("weekly");
    const { token } = await tandem.storage.read
      .selectFrom("digests")
      .select("token")
      .where("user_id", "=", ada.user.id)
      .executeTakeFirstOrThrow();
    await visitor.open(`/account/digest#token=${token}`);
    expect(await chosen()).toBe("weekly");
    await button("Turn off").click();
    await heading("Email digest turned off").waitFor();
    expect(await chosen()).toBe("off");
    await visitor.open("/about");
    await visitor.open("/account/digest#token=unknown");
    await button("Turn off").click();
    await visitor.page.getByText("doesn’t belong to any digest").waitFor();
  });

  test("resets a forgotten password with the emailed link, and lists what else opens the account", async () => {
    const ada = await tandem.as.human();
    await ada.confirmEmail({ token: (await post.mailTo(ada.user.email, /Confirm/)).token });
    await ada.mintKey({});
    const { page } = visitor;
    await visitor.open("/login");
    await page.getByRole("link", { name: "Forgot your password?" }).click();
    await heading("Reset your password").waitFor();
    await page.getByLabel("Email").fill(ada.user.email);
    await button("Send reset link").click();
    await heading("Check your email").waitFor();
    const { text, token } = await post.mailTo(ada.user.email, /Reset your password/);
    await visitor.open(new URL(String(/http\S+/.exec(text)?.[0])).href.replace(tandem.baseUrl, ""));
    await page.getByLabel("New password").fill("battery staple");
    await button("Set password").click();
    await heading("Password changed").waitFor();
    await page.getByText("1 API key", { exact: true }).waitFor();
    await tandem.as.anonymous().logIn({ username: ada.user.username, password: "battery staple" });
    await visitor.open("/about");
    await visitor.open(`/account/reset#token=${token}`);
    await page.getByLabel("New password").fill("battery staple");
    await button("Set password").click();
    await page.getByText("was already used").waitFor();
  });

  test("a server without email promises none", async () => {
    await using silent = await startTandem();
    await using guest = await visit(silent);
    await guest.open("/login");
    await guest.page.getByRole("link", { name: "Forgot your password?" }).click();
    await guest.page.getByRole("status").getByText("This server can't send email.").waitFor();
    expect(await guest.page.getByLabel("Email").count()).toBe(0);
    await guest.open("/signup");
    await guest.page.getByText("For logging in. Never shown to others.").waitFor();
    await using member = await visit(silent, await silent.as.human());
    await member.open("/settings/account");
    const change = member.page.getByRole("region", { name: "Change email address" });
    await change.getByText("This server can't send email.").waitFor();
    expect(await change.getByRole("button").count()).toBe(0);
  });

  test("keeps no private data after logging out", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    await visitor.open("/login?next=/settings");
    await fillIn(ada.user.email, ada.password);
    await button("Log in").click();
    await at("/settings");
    await page.getByText(`You're logged in as @${ada.user.username}.`).waitFor();
    await button("Log out").click();
    await at("/");
    await page.locator("html[data-alive]").waitFor();
    expect(await page.content()).not.toContain(ada.user.email);
    expect(await signedInUser()).toBe(null);
    await page.goBack();
    await page.getByText("Log in to see this").waitFor();
  });

  test("never puts a password in the URL, even before hydration", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    const heldRequests: (() => Promise<void>)[] = [];
    let scriptsAllowed = false;
    await page.route("**/assets/*.js", (route) =>
      scriptsAllowed ? route.continue() : void heldRequests.push(() => route.continue()),
    );
    await page.goto(`${tandem.baseUrl}/login?next=/settings`, { waitUntil: "commit" });
    await fillIn(ada.user.username, ada.password);
    await page.keyboard.press("Enter");
    expect(await button("Log in").isDisabled()).toBe(true);
    scriptsAllowed = true;
    await Promise.all(heldRequests.map((go) => go()));
    await page.locator("html[data-alive]").waitFor();
    expect(new URL(page.url()).search).toBe("?next=/settings");
    await page.getByLabel("Password", { exact: true }).press("Enter");
    await at("/settings");
    expect(await signedInUser()).toBe(ada.user.username);
    expect(addresses.filter((one) => one.includes("correct"))).toEqual([]);
    await page.unroute("**/assets/*.js");
  });

  test("reloads other tabs on login and logout, but keeps them when the same account logs back in", async () => {
    const ada = await tandem.as.human();
    const { page } = visitor;
    const other = await page.context().newPage();
    const documentsOf = (tab: Page) => {
      const seen: string[] = [];
      tab.on(
        "request",
        (request) => request.isNavigationRequest() && seen.push(new URL(request.url()).pathname),
      );
      return seen;
    };
    const logIn = async () => {
      await fillIn(ada.user.username, ada.password);
      await button("Log in").click();
      await at("/settings");
      await page.locator("html[data-alive]").waitFor();
    };
    await visitor.open("/login?next=/settings");
    await other.goto(`${tandem.baseUrl}/settings/profile`);
    await other.getByText("Log in to see this").waitFor();
    await other.locator("html[data-alive]").waitFor();
    const [first, second] = [documentsOf(page), documentsOf(other)];
    await logIn();
    await other.getByLabel("Display name", { exact: true }).fill("Countess");
    expect([first, second]).toEqual([["/settings"], ["/settings/profile"]]);

    await page.context().clearCookies();
    await other.getByRole("button", { name: "Save" }).first().click();
    await other.getByText("You've been logged out.").waitFor();
    await visitor.open("/login?next=/settings");
    const sessionChecked = other.waitForResponse("**/api/auth/me");
    await logIn();
    await sessionChecked;
    await other.getByRole("button", { name: "Save" }).first().click();
    await other.getByText("Profile saved.").waitFor();
    expect((await ada.me()).user.displayName).toBe("Countess");
    expect(second).toEqual(["/settings/profile"]);

    await button("Log out").click();
    await other.getByText("Log in to see this").waitFor();
    expect(first.slice(1)).toEqual(["/login", "/settings", "/"]);
    await other.close();
  });
});
