import { stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** Maximum compressed bytes of script for the first load of the feed. */
const FIRST_LOAD = 120_000;
/** Maximum number of scripts, including texts, that a page loads before it is interactive. */
const MOST_SCRIPTS = 30;

describe("the web app", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const html = (path: string, headers: Record<string, string> = {}) =>
    fetch(tandem.baseUrl + path, { headers: { accept: "text/html", ...headers } });

  test("is rendered by the server in the visitor's language, with AI labels, without scripts", async () => {
    const agent = await tandem.as.agent(undefined, "loom_bot");
    await agent.createPost({ title: "On looms", body: "They weave." });
    const text = await (await html("/")).text();
    expect(text).toContain("On looms");
    expect(text).toMatch(/AI-generated/);
    const german = await (await html("/", { "accept-language": "de-AT, en;q=0.5" })).text();
    expect(german).toContain('<html lang="de" dir="ltr">');
    expect(german).toMatch(/KI-generiert/);
  });

  test.each(["constructor", "__proto__", "toString, de;q=0", "*;q=0", ";;q=,,de;q=x"])(
    "survives any Accept-Language: %s",
    async (language) => {
      const response = await html("/about", { "accept-language": language });
      expect([response.status, await response.text()]).toEqual([
        200,
        expect.stringContaining('<html lang="en"'),
      ]);
    },
  );

  test("moves the focus to the new page on navigation", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.id);
    await visitor.open("/");
    await page.getByRole("link", { name: "Developers" }).press("Enter");
    await page.waitForURL("**/developers");
    await expect.poll(focused).toBe("main");
    await page.keyboard.press("Tab");
    expect(await page.evaluate(() => document.activeElement?.closest("main") !== null)).toBe(true);
    // On paper, there is only the page.
    await page.emulateMedia({ media: "print" });
    expect(await page.locator("nav:visible, body header:visible").count()).toBe(
      await page.locator("main header:visible").count(),
    );
    await page.emulateMedia({ media: "screen", forcedColors: "active" });
    const current = page.locator("a[aria-current=page]:visible").first();
    const looks = await current.evaluate((link) => getComputedStyle(link).backgroundColor);
    expect(looks).not.toMatch(/transparent|, 0\)$/);
    // The chosen one of several differs from the others.
    await using author = await visit(tandem, await tandem.as.human());
    await author.open("/compose");
    await author.page.emulateMedia({ forcedColors: "active" });
    const choices = author.page.locator("label:has(> input[name=provenance])");
    const backgrounds = await choices.evaluateAll((all) =>
      all.map((label) => getComputedStyle(label).backgroundColor),
    );
    expect(new Set(backgrounds).size).toBe(2);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("escapes users' text everywhere in the document", async () => {
    const mallory = await tandem.as.human("mallory");
    const attack = "</script><script>alert(1)</script><!-- \u2028 <img src=x onerror=alert(1)>";
    await mallory.createPost({ title: attack.replace("\u2028", ""), body: attack });
    const text = await (await html("/")).text();
    expect(text).not.toContain("<script>alert");
    expect(text).not.toContain("<img src=x");
    await using visitor = await visit(tandem);
    await visitor.open("/");
    expect(await visitor.page.getByText("</script><script>").count()).toBeGreaterThan(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("has a content security policy that allows only its own scripts and styles", async () => {
    const { headers } = await html("/");
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:/);
    expect(headers.get("x-frame-options")).toBe("DENY");
  });

  test.each([
    ["/", "Tandem", "page"],
    ["/?sort=hot", "Hot · Tandem", "true"],
    ["/settings/profile", "Log in to see this · Tandem", undefined],
    ["/nowhere", "Page not found · Tandem", undefined],
  ])(
    "names the page in the title, and marks the feed where it belongs to it: %s",
    async (path, title, mark) => {
      const text = await (await html(path)).text();
      expect(/<title>(.*?)<\/title>/.exec(text)?.[1]).toBe(title);
      const menu = /<nav aria-label="Main menu".*?<\/nav>/s.exec(text)?.[0] ?? "";
      expect([...menu.matchAll(/aria-current="(\w+)"/g)].map(([, value]) => value)).toEqual(
        mark ? [mark] : [],
      );
    },
  );

  test("says why forms are disabled without scripts", async () => {
    for (const path of ["/login", "/signup"])
      expect(await (await html(path)).text()).toMatch(/<noscript>.*needs JavaScript.*<\/noscript>/s);
  });

  test("responds to missing pages with the right status, as HTML or JSON", async () => {
    expect((await html("/posts/999999")).status).toBe(404);
    expect((await html("/nowhere")).status).toBe(404);
    expect((await html("/settings")).status).toBe(401);
    expect((await html("/?saved=1")).status).toBe(401);
    const api = await fetch(`${tandem.baseUrl}/nowhere`);
    expect([api.status, await api.json()]).toEqual([404, expect.objectContaining({ code: "not_found" })]);
  });

  test("shows data that failed on the server as soon as the browser has it, without a mismatch", async () => {
    const ada = await tandem.as.human();
    const { post } = await ada.createPost({ title: "On engines" });
    await ada.createComment({ id: post.id, body: "They compute." });
    const rename = (from: string, to: string) =>
      tandem.storage.write((tx) => tx.schema.alterTable(from).renameTo(to).execute());
    await using visitor = await visit(tandem);
    const { page } = visitor;
    let repaired = () => {};
    const isRepaired = new Promise<void>((resolve) => {
      repaired = resolve;
    });
    await page.route("**/assets/*.js", async (route) => {
      await isRepaired;
      await route.continue();
    });
    await rename("comments", "lost");
    try {
      await page.goto(`${tandem.baseUrl}/posts/${post.id}`, { waitUntil: "commit" });
      await page.getByRole("heading", { name: "1 comment" }).waitFor();
    } finally {
      await rename("lost", "comments");
    }
    repaired();
    await page.getByText("They compute.").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("stays as the server sent it while files fail, and works once they arrive, without a mismatch", async () => {
    const ada = await tandem.as.human();
    await ada.createPost({ title: "On patience" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const attempts = new Map<string, number>();
    let isBusy = true;
    await page.route(/\/assets\/(?!browser-)[^/]+\.js$/, async (route) => {
      const url = route.request().url();
      attempts.set(url, (attempts.get(url) ?? 0) + 1);
      if (isBusy) await route.fulfill({ status: 503, body: "busy" });
      else await route.continue();
    });
    await page.goto(tandem.baseUrl);
    await expect.poll(() => Math.max(...attempts.values())).toBeGreaterThan(2);
    await page.getByText("On patience").waitFor();
    expect(await page.getByText("This page couldn't be loaded").count()).toBe(0);
    isBusy = false;
    await page.locator("html[data-alive]").waitFor();
    await page.getByText("On patience").waitFor();
    expect(visitor.browserErrors.filter((error) => !error.includes("503"))).toEqual([]);
  });

  test("asks for a missing page only once", async () => {
    await using visitor = await visit(tandem);
    const requests: string[] = [];
    visitor.page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await visitor.open("/posts/999999");
    await visitor.page.getByRole("heading", { level: 1 }).waitFor();
    expect(requests.filter((path) => path.startsWith("/api/posts"))).toEqual([]);
  });

  test.each([
    ["//evil.example/", 404],
    ["/posts/99999999999999999999", 404],
    ["/posts/1%2F..", 404],
    ["/creators/native/%00", 404],
    ["/assets/nothing.js", 404],
    ["/posts/%E0%A4%A", 400],
    ["/?sort=odd", 400],
    ["/?__proto__=1&constructor=2&a[]=3&q=%ff&q=", 200],
    ["/about/", 200],
    ["/?q=a%20b'(c)", 200],
  ])("responds to unusual URLs with the right status: %s", async (path, status) => {
    const response = await html(path);
    expect(response.status).toBe(status);
    expect(new URL(response.url).origin).toBe(tandem.baseUrl);
    if (status < 400) expect(await response.text()).toContain('rel="canonical"');
  });

  test("loads little script before the feed is interactive", async () => {
    const text = await (await html("/")).text();
    const scripts = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map(([, path]) => path);
    expect(scripts.length).toBeGreaterThan(1);
    const built = fileURLToPath(new URL("../dist/client", import.meta.url));
    const sizes = await Promise.all(scripts.map(async (path) => (await stat(`${built}${path}.br`)).size));
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(FIRST_LOAD);
  });

  test("loads pages in few files", async () => {
    await using visitor = await visit(tandem, await tandem.as.human());
    let scripts = 0;
    visitor.page.on("request", (request) => {
      if (request.resourceType() === "script") scripts += 1;
    });
    for (const path of ["/", "/settings", "/compose"]) {
      scripts = 0;
      await visitor.open(path);
      expect(scripts, path).toBeGreaterThan(1);
      expect(scripts, path).toBeLessThanOrEqual(MOST_SCRIPTS);
    }
  });
});
