import { readFile } from "node:fs/promises";
import { operationList } from "@tandem/contract/operations";
import { routes } from "@tandem/contract/routes";
import { scopeNames } from "@tandem/contract/scopes";
import { faultsOf } from "@tandem/testing/looks";
import { until } from "@tandem/testing/ports";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { curlOf, KEY_IN_SHELL } from "../../shared/curl.ts";
import { pages } from "../../shared/paths.ts";
import { isComplete, valuesOf } from "./console-values.ts";
import { fields, operationAreas } from "./reference.plain.ts";

test("lists every operation once, with all its fields", () => {
  const listed = operationAreas.flatMap(({ operations }) => operations.map(({ name }) => name));
  expect(listed.sort()).toEqual(operationList.map(({ name }) => name).sort());
  for (const [name, route] of Object.entries(routes)) {
    const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, one]) => one);
    const expected = [...inPath, ...route.query, ...route.body, ...Object.keys(route.files)];
    expect([name, fields[name]?.map((field) => field.name)]).toEqual([name, expected]);
  }
});

test("parses console input, and leaves what it can't parse for the service to reject", () => {
  const createPostFields = fields.createPost ?? [];
  const typed = { title: "On looms", productIds: "[1]", body: "null", url: "" };
  expect(valuesOf(createPostFields, typed)).toEqual({ title: "On looms", productIds: [1], body: null });
  expect(valuesOf(createPostFields, { productIds: "[1" })).toEqual({ productIds: "[1" });
  expect([isComplete(createPostFields, typed), isComplete(createPostFields, { title: "" })]).toEqual([
    true,
    false,
  ]);
});

test("writes the exact curl command", () => {
  const options = { baseUrl: "https://t.example", key: KEY_IN_SHELL, dryRun: true };
  expect(curlOf(routes.createComment, { id: 7, body: "It's fine" }, options)).toBe(
    [
      "curl -sS 'https://t.example/api/posts/7/comments?dryRun=1'",
      "-X POST",
      '-H "Authorization: Bearer $TANDEM_API_KEY"',
      "-H 'Content-Type: application/json'",
      `-d '{"body":"It'\\''s fine"}'`,
    ].join(" \\\n  "),
  );
});

describe("the public pages", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const html = async (path: string) =>
    (await fetch(tandem.baseUrl + path, { headers: { accept: "text/html" } })).text();

  test("work without scripts", async () => {
    const developers = await html("/developers");
    for (const { path } of operationList) expect(developers).toContain(path);
    for (const scope of scopeNames) expect(developers).toContain(scope);
    expect(await html("/policy")).toContain("/ai-policy");
    expect(await html("/about")).toContain('rel="canonical"');
  });

  test.each(["/%09/evil.example", "//evil.example", "/%5Cevil.example", "https://evil.example", "/offline"])(
    "never redirect from the offline page to another site or to itself: %s",
    async (from) => {
      await using visitor = await visit(tandem);
      await visitor.open(`/offline?from=${from}`);
      await visitor.page.getByRole("button", { name: "Try again" }).click();
      await visitor.page.waitForURL(`${tandem.baseUrl}/`);
    },
  );

  test("call operations from the console: as yourself, as a dry run, and with a key", async () => {
    const ada = await tandem.as.human();
    const agent = await tandem.as.agent(ada, "loom_bot");
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/developers");
    await page.getByText("The feed, and publishing posts.").click();
    await page.getByRole("button", { name: "Try it: createPost" }).click();
    await page.getByLabel("title (required)").fill("From the console");
    await page.getByText(`"title":"From the console"`).waitFor();
    await page.getByRole("button", { name: "Dry run" }).click();
    await page.getByText("Response: 200").waitFor();
    expect((await ada.listPosts()).posts).toEqual([]);
    await page.getByLabel("Dry run (dryRun=1)").uncheck();
    await page.getByLabel("API key").fill(String(agent.options.key));
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText('"author": "loom_bot"').waitFor();
    expect((await ada.listPosts()).posts).toMatchObject([{ title: "From the console", author: "loom_bot" }]);
    await page.getByLabel("Operation", { exact: true }).selectOption("readPost");
    await page.getByLabel("id (required)").fill("999999");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByText("Response: 404").waitFor();
    expect(visitor.browserErrors.filter((one) => !one.includes("404"))).toEqual([]);
  });

  test("show the address in the browser, even if it isn't the one that the service knows", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    const address = tandem.baseUrl.replace("127.0.0.1", "localhost");
    await page.goto(`${address}/developers`);
    await page.getByRole("link", { name: `${address}/llms.txt` }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("have a manifest whose files, shortcuts and share target all exist", async () => {
    const manifest = await (await fetch(`${tandem.baseUrl}/manifest.webmanifest`)).json();
    expect(manifest.icons.map(({ purpose }: { purpose: string }) => purpose)).toContain("maskable");
    for (const { src, type } of [...manifest.icons, ...manifest.screenshots]) {
      const { status, headers } = await fetch(tandem.baseUrl + src);
      expect([src, status, headers.get("content-type")?.split(";")[0]]).toEqual([src, 200, type]);
    }
    const shortcuts: string[] = manifest.shortcuts.map(({ url }: { url: string }) => url);
    const { action, params } = manifest.share_target;
    expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining([...shortcuts, action]));
    expect(Object.keys(params)).toEqual(Object.values(params));
    const html = await (await fetch(tandem.baseUrl, { headers: { accept: "text/html" } })).text();
    const links = ["icon", "manifest", "search"].map(
      (relation) => new RegExp(`<link rel="${relation}"[^>]* href="([^"]+)"`).exec(html)?.[1],
    );
    for (const link of [...links, "/favicon.ico"])
      expect([link, (await fetch(new URL(String(link), tandem.baseUrl))).status]).toEqual([link, 200]);
  });

  test("have an accessible console", async () => {
    await using visitor = await visit(tandem);
    await visitor.open("/developers");
    await visitor.page.getByRole("button", { name: "Open console" }).click();
    await visitor.page.getByLabel("API key").waitFor();
    await visitor.page.getByText("The feed, and publishing posts.").click();
    expect(await faultsOf(visitor)).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  describe("offline", () => {
    let visitor: Visitor;
    beforeAll(async () => {
      // An emulated locale would override the language that the service worker asks for.
      const options = { serviceWorkers: "allow", locale: undefined } as const;
      visitor = await visit(tandem, await tandem.as.human("grace"), options);
    });
    afterAll(() => visitor[Symbol.asyncDispose]());

    test("shows the offline page in the visitor's theme, and continues once back online", async () => {
      const { page } = visitor;
      await visitor.open("/settings/appearance");
      await page.getByLabel("Dark", { exact: true }).check();
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
        if (!navigator.serviceWorker.controller)
          await new Promise((resolve) =>
            navigator.serviceWorker.addEventListener("controllerchange", resolve),
          );
      });
      await page.context().setOffline(true);
      await page.goto(`${tandem.baseUrl}/about?x=1`);
      await page.getByRole("heading", { name: "You're offline" }).waitFor();
      await page.locator("html[data-theme=dark]").waitFor();
      await page.context().setOffline(false);
      await page.getByRole("heading", { name: "People and AI, side by side" }).waitFor();
      expect(page.url()).toBe(`${tandem.baseUrl}/about?x=1`);
    });

    test("shows signed-in readers their navigation and the feed they saw last, until someone else uses the browser", async () => {
      const { page } = visitor;
      const ada = await tandem.as.human("ada_l");
      await ada.createPost({ title: "On engines", body: "They weave." });
      const goOffline = async () => {
        await page.context().setOffline(true);
        await page.goto(`${tandem.baseUrl}/messages`);
        await page.getByRole("heading", { name: "You're offline" }).waitFor();
      };
      await visitor.open("/");
      await goOffline();
      const post = page.getByRole("listitem").filter({ hasText: "They weave." });
      await post.getByRole("heading", { name: "On engines" }).waitFor();
      await page.getByRole("link", { name: "Messages" }).first().waitFor();
      expect(await visitor.axeViolations()).toEqual([]);
      await page.context().setOffline(false);
      await page.waitForURL(`${tandem.baseUrl}/messages`);
      // The next person in this browser deletes it, on any page.
      const cookies = await page.context().cookies();
      await page.context().clearCookies();
      await visitor.open("/about");
      await goOffline();
      await page.getByRole("link", { name: "Log in" }).first().waitFor();
      expect(await page.getByText("They weave.").count()).toBe(0);
      await page.context().setOffline(false);
      await page.context().addCookies(cookies);
    });

    test("caches nothing that belongs to one account", async () => {
      const { page } = visitor;
      await visitor.open("/");
      const cached = await page.evaluate(async () => {
        const all = await Promise.all(
          (await caches.keys()).map(async (name) => {
            const cache = await caches.open(name);
            return Promise.all(
              (await cache.keys()).map(async (request) => ({
                path: new URL(request.url).pathname,
                text: await (await cache.match(request))?.text(),
              })),
            );
          }),
        );
        return all.flat();
      });
      expect(cached.length).toBeGreaterThan(3);
      expect(cached.filter(({ path }) => !path.startsWith("/assets/")).map(({ path }) => path)).toEqual([
        "/offline",
      ]);
      expect(cached.filter(({ text }) => text?.includes("grace"))).toEqual([]);
    });

    test("removes the old cache when the version or language changes", async () => {
      const { page } = visitor;
      await page.evaluate(() => caches.open("tandem of long ago"));
      await visitor.open("/about");
      await page.getByRole("main").getByLabel("Language").selectOption("de");
      await page.locator("html[lang=de][data-alive]").waitFor();
      await until(async () => {
        const names = await page.evaluate(() => caches.keys());
        return names.length === 1 && names.every((name) => name.endsWith(" de"));
      });
      const offline = await page.evaluate(async () => (await caches.match("/offline"))?.text());
      expect(offline).toContain("Du bist offline");
    });
  });
});

test("the service worker lists only files that exist", async () => {
  const built = new URL("../../../dist/client/", import.meta.url);
  const worker = await readFile(new URL("sw.js", built), "utf8");
  const files = [...worker.matchAll(/\/(assets\/[\w.-]+)/g)].map(([, file]) => String(file));
  expect(files.length).toBeGreaterThan(5);
  await Promise.all(files.map((file) => readFile(new URL(file, built))));
});
