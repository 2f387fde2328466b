import { Issuer } from "@tandem/testing/issuer";
import { loopback } from "@tandem/testing/origin";
import { type ProviderAccount, ProviderPages } from "@tandem/testing/provider-pages";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const hedy: ProviderAccount = {
  sub: "000123.abc",
  email: "x7k2@privaterelay.appleid.com",
  firstName: "Hedy",
  lastName: "Lamarr & Söhne",
};

describe("logging in with a provider", () => {
  let tandem: Tandem;
  let apple: Issuer;
  let google: Issuer;
  let pages: { apple: ProviderPages; google: ProviderPages };

  beforeAll(async () => {
    [apple, google] = await Promise.all([Issuer.start("ES256"), Issuer.start("RS256")]);
    const started = await startTandem("sqlite", {
      env: {
        ...loopback,
        APPLE_CLIENT_ID: apple.clientId,
        APPLE_ISSUER: apple.url,
        GOOGLE_CLIENT_ID: google.clientId,
        GOOGLE_ISSUER: google.url,
      },
    });
    // The providers run on an IP address: to browsers, localhost is another site, so they withhold cookies.
    started.services.baseUrl = started.baseUrl.replace("127.0.0.1", "localhost");
    tandem = { ...started, baseUrl: started.services.baseUrl };
    const redirects = [`${tandem.baseUrl}/login`];
    pages = {
      apple: new ProviderPages(apple, redirects, hedy),
      google: new ProviderPages(google, redirects, hedy),
    };
  });
  afterAll(() => Promise.all([tandem.stop(), apple.stop(), google.stop()]));

  const press = ({ page }: Visitor, name: string) => page.getByRole("button", { name, exact: true }).click();
  const signedInUser = ({ page }: Visitor) =>
    page.evaluate(async () => (await (await fetch("/api/auth/me")).json()).user ?? null);
  const at = ({ page }: Visitor, path: string) => page.waitForURL(tandem.baseUrl + path);

  test("logs in with Apple, which posts from its own site and sends the name only once", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/login?next=/settings");
    await press(visitor, "Continue with Apple");
    await page.waitForURL(`${apple.url}/**`);
    const posted = page.waitForRequest(
      (request) => request.method() === "POST" && request.url() === `${tandem.baseUrl}/login`,
    );
    await press(visitor, "Continue");
    // A request from another site carries no session cookie.
    expect((await (await posted).allHeaders()).cookie).toBe(undefined);
    await at(visitor, "/settings");
    const first = await signedInUser(visitor);
    expect(first).toMatchObject({
      displayName: "Hedy Lamarr & Söhne",
      email: hedy.email,
      username: "Hedy_Lamarr_Sohne",
    });
    expect(visitor.browserErrors).toEqual([]);
    // Neither the token nor the name stays in the session storage.
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/errand|Hedy|eyJ/);

    await page.context().clearCookies();
    await visitor.open("/login");
    await press(visitor, "Continue with Apple");
    await press(visitor, "Continue");
    await at(visitor, "/");
    expect(await signedInUser(visitor)).toEqual(first);
  });

  test("logs in with Google, and refuses an email address that another account uses", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    pages.google.person = { sub: "g-1", email: "grace@example.org", firstName: "Grace", lastName: "Hopper" };
    await visitor.open("/login?next=/shop");
    await press(visitor, "Continue with Google");
    await press(visitor, "Continue");
    await at(visitor, "/shop");
    expect(await signedInUser(visitor)).toMatchObject({
      displayName: "Grace Hopper",
      email: "grace@example.org",
    });

    await page.context().clearCookies();
    pages.apple.person = { ...hedy, sub: "000456.def", email: "grace@example.org" };
    await visitor.open("/login");
    await press(visitor, "Continue with Apple");
    await press(visitor, "Continue");
    await page.getByText("Another account uses this email address").waitFor();
    expect(await signedInUser(visitor)).toBe(null);
    expect(page.url()).toBe(`${tandem.baseUrl}/login`);
  });

  test("returns to the login page with a clean URL when cancelled", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/login");
    await press(visitor, "Continue with Apple");
    await press(visitor, "Cancel");
    await page.locator("html[data-alive]").waitFor();
    await expect.poll(() => page.url()).toBe(`${tandem.baseUrl}/login`);
    expect(visitor.browserErrors).toEqual([]);
    expect(await signedInUser(visitor)).toBe(null);
  });

  test("ignores forged responses, even while waiting for a real one", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/login");
    await press(visitor, "Continue with Apple");
    await page.waitForURL(`${apple.url}/**`);
    const idToken = await apple.token({ sub: "mallory", email: "mallory@example.org", email_verified: true });
    const forged = { id_token: idToken, state: "1-2-3-4", user: "{}" };
    await page.evaluate(
      ([action, values]) => {
        const form = Object.assign(document.createElement("form"), { method: "post", action });
        for (const [name, value] of Object.entries(values))
          form.append(Object.assign(document.createElement("input"), { name, value }));
        document.body.append(form);
        form.submit();
      },
      [`${tandem.baseUrl}/login`, forged] as const,
    );
    await page.waitForURL(`${tandem.baseUrl}/login#**`);
    await page.locator("html[data-alive]").waitFor();
    await page.getByLabel("Username or email").waitFor();
    expect(await signedInUser(visitor)).toBe(null);
  });

  test.each([
    ["nothing", ""],
    ["other fields", "username=ada&password=secret&next=//evil.example"],
    ["too much", `id_token=${"x".repeat(100_000)}&state=1`],
    ["lines of a header", "state=1%0d%0aSet-Cookie:%20a=b"],
  ])("passes on only the expected fields of a posted response: %s", async (_what, body) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const response = await fetch(`${tandem.baseUrl}/login`, {
      method: "POST",
      headers,
      body,
      redirect: "manual",
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toMatch(/^\/login(#state=1(%0D%0ASet-Cookie%3A\+a%3Db)?)?$/);
    expect(response.headers.getSetCookie()).toEqual([]);
  });
});
