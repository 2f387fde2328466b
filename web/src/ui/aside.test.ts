import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const wide = { viewport: { width: 1440, height: 900 } };

describe("next to the main column", () => {
  let tandem: Tandem;
  let imported: number;
  beforeAll(async () => {
    tandem = await startTandem();
    const make = (author: string, title: string, community = "looms") =>
      tandem.storage.write((tx) => insertImportedPost(tx, { platform: "lemmy", author, title, community }));
    await make("carder", "Carding wool");
    await make("spinner", "Spinning", "wheels");
    await make("dyer", "Dyeing with madder", "dyes");
    imported = await make("spinner", "Twining");
  });
  afterAll(() => tandem.stop());

  const aside = ({ page }: Visitor) => page.getByRole("main").getByRole("complementary");
  const links = async (visitor: Visitor) => {
    await aside(visitor).waitFor();
    const all = await aside(visitor).getByRole("link").all();
    return Promise.all(all.map((link) => link.getAttribute("href")));
  };

  test("of the feed doesn't wait for trending hashtags, and nothing moves once they are there", async () => {
    await using visitor = await visit(tandem, undefined, wide);
    const held: Route[] = [];
    await visitor.page.route("**/api/tags", (route) => void held.push(route));
    await visitor.open("/");
    expect(await links(visitor)).toContain("/?platform=lemmy&community=dyes");
    await expect.poll(() => held.length).toBe(1);
    const headings = () => aside(visitor).getByRole("heading").allInnerTexts();
    const before = await headings();
    await held[0]?.fulfill({ json: { tags: [{ name: "wool", people: 2 }] } });
    await aside(visitor).getByRole("link", { name: "#wool" }).waitFor();
    expect(await headings()).toEqual([...before, "Trending hashtags"]);
  });

  test("of a post are its author, with a button to follow, its community, and more posts of both", async () => {
    const reader = await tandem.as.human();
    await using visitor = await visit(tandem, reader, wide);
    await visitor.page.addInitScript(() => {
      new PerformanceObserver((list) => {
        for (const { value = 0 } of list.getEntries() as { value?: number }[])
          if (value > 0.001)
            document.documentElement.dataset.shift = String(
              Number(document.documentElement.dataset.shift ?? 0) + value,
            );
      }).observe({ type: "layout-shift", buffered: true });
    });
    await visitor.open(`/posts/${imported}`);
    expect(await links(visitor)).toEqual([
      "/creators/lemmy/spinner",
      "/?platform=lemmy&community=looms",
      expect.stringMatching("/posts/"),
      expect.stringMatching("/posts/"),
    ]);
    expect(await aside(visitor).getByRole("listitem").allTextContents()).toEqual([
      expect.stringContaining("Carding wool"),
      expect.stringContaining("Spinning"),
    ]);
    await aside(visitor).getByRole("button", { name: "Follow" }).click();
    await expect
      .poll(async () => (await reader.listFollows()).follows.map(({ author }) => author))
      .toEqual(["spinner"]);
    expect(await visitor.page.evaluate(() => document.documentElement.dataset.shift)).toBeUndefined();
    expect(await visitor.axeViolations()).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("of a post says what AI wrote of its author's bio and other posts", async () => {
    const ada = await tandem.as.human("ada_l");
    const key = await tandem.as.key(undefined, ada);
    await key.editProfile({ bio: "Writes about engines." });
    await key.createPost({ title: "By a key" });
    await ada.createPost({ title: "By Ada" });
    const { post } = await ada.createPost({ title: "On engines" });
    await using visitor = await visit(tandem, undefined, wide);
    await visitor.open(`/posts/${post.id}`);
    const row = (name: string) => aside(visitor).getByRole("listitem").filter({ hasText: name });
    await row("By a key").getByText("AI", { exact: true }).waitFor();
    expect(await row("By Ada").getByText("AI", { exact: true }).count()).toBe(0);
    await aside(visitor).getByText("Writes about engines.").locator("+ *").getByText("AI").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open("/creators");
    await visitor.page.getByRole("listitem").filter({ hasText: "On engines" }).getByText("Person").waitFor();
  });

  test("of a profile are creators of the same community", async () => {
    await using visitor = await visit(tandem, undefined, wide);
    await visitor.open("/creators/lemmy/spinner");
    await visitor.page.getByRole("heading", { name: "Similar creators" }).waitFor();
    expect(await links(visitor)).toEqual(["/creators/lemmy/carder"]);
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("of a search are its filters, which narrow screens show above the results on request", async () => {
    await using desk = await visit(tandem, undefined, wide);
    await using mobile = await visit(tandem, undefined, phone);
    const boxes = async ({ page }: Visitor) => ({
      filter: await page.getByLabel("Sort by").boundingBox(),
      result: await page.getByRole("article").first().boundingBox(),
    });
    for (const visitor of [desk, mobile]) await visitor.open("/search?q=twining");
    const right = await boxes(desk);
    expect(right.filter?.x).toBeGreaterThan((right.result?.x ?? 0) + (right.result?.width ?? 0));
    expect((await boxes(mobile)).filter).toBeNull();
    await mobile.page.getByRole("button", { name: "Filters" }).click();
    const above = await boxes(mobile);
    expect(above.filter?.y).toBeLessThan(above.result?.y ?? 0);
    expect(await desk.axeViolations()).toEqual([]);
  });

  test("is nothing on narrow screens, which don't load it either", async () => {
    await using visitor = await visit(tandem, undefined, phone);
    const requests: string[] = [];
    visitor.page.on("request", (request) => requests.push(request.url()));
    await visitor.open(`/posts/${imported}`);
    await visitor.page.waitForLoadState("networkidle");
    expect(await aside(visitor).count()).toBe(0);
    expect(requests.filter((url) => /api\/posts\?|aside/.test(url))).toEqual([]);
  });
});
