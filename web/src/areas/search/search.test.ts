import { understandPosts } from "@tandem/server/features/similar/understand-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { countTags } from "../../../../server/src/features/tags/count-tags.ts";

/** Whether the placeholder fits in the field. */
function fits(field: Element): boolean {
  const { font, paddingLeft, paddingRight } = getComputedStyle(field);
  const pen = document.createElement("canvas").getContext("2d");
  if (!pen) return false;
  pen.font = font;
  const needed = pen.measureText(field.getAttribute("placeholder") ?? "").width;
  return needed <= field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
}

describe("search", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem("sqlite", { env: { SIMILAR_POSTS: "1" } });
    const weaver = await tandem.as.human("weaver");
    await weaver.createPost({ title: "Plain weave", body: "Over and under." });
    await weaver.createPost({ title: "Twill weave", provenance: "ai_assisted" });
    await (await tandem.as.agent(weaver, "loom_bot")).createPost({ title: "Satin weave" });
  });
  afterAll(() => tandem.stop());

  const found = async ({ page }: Visitor) =>
    (await page.getByRole("article").getByRole("heading").allTextContents()).sort();

  test("searches by words and filters, and keeps both in the URL", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/search");
    await page.getByRole("combobox", { name: "Search posts and creators" }).fill("weave");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/search?q=weave");
    await expect.poll(() => found(visitor)).toEqual(["Plain weave", "Satin weave", "Twill weave"]);
    await page.getByLabel("Written by").selectOption("ai_generated");
    await page.waitForURL("**/search?q=weave&provenance=ai_generated");
    await expect.poll(() => found(visitor)).toEqual(["Satin weave"]);
    await page.getByLabel("Written by").selectOption("human,ai_assisted");
    await expect.poll(() => found(visitor)).toEqual(["Plain weave", "Twill weave"]);
    await page.reload();
    expect(await found(visitor)).toEqual(["Plain weave", "Twill weave"]);
    expect(await page.getByLabel("Written by").inputValue()).toBe("human,ai_assisted");
    await page.getByLabel("Source").selectOption("reddit");
    await page.getByText("No posts found").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("lists posts that say it in other words, below the others and next to a similar post", async () => {
    const weaver = await tandem.as.human();
    const { post } = await weaver.createPost({ title: "The central bank raises borrowing costs" });
    await weaver.createPost({ title: "Interest rates go up again" });
    await understandPosts(tandem.services, new AbortController().signal);
    for (const size of [undefined, phone]) {
      await using visitor = await visit(tandem, undefined, size);
      const { page } = visitor;
      await visitor.open("/search?q=central+bank");
      expect(await found(visitor)).toEqual(["The central bank raises borrowing costs"]);
      const similar = page.getByRole("region", { name: "Similar in meaning" });
      await similar.getByRole("link", { name: "Interest rates go up again" }).waitFor();
      expect(await similar.getByRole("link").count()).toBe(1);
      expect(await visitor.axeViolations()).toEqual([]);
      await visitor.open(`/posts/${post.id}`);
      await page.getByRole("heading", { name: "More like this" }).scrollIntoViewIfNeeded();
      await page.getByRole("link", { name: "Interest rates go up again" }).click();
      await page.waitForURL(`**/posts/${post.id + 1}`);
      expect(visitor.browserErrors).toEqual([]);
    }
  });

  test("finds posts of a period", async () => {
    await using visitor = await visit(tandem);
    const { page } = visitor;
    const today = new Date().toISOString().slice(0, 10);
    await visitor.open("/search?q=weave");
    await page.getByLabel("Posted from").fill("2100-01-01");
    await page.getByText("No posts found").waitFor();
    await page.getByLabel("Posted from").fill(today);
    await page.waitForURL(`**/search?q=weave&since=${today}`);
    await expect.poll(() => found(visitor)).toHaveLength(3);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("since");
    await page.getByLabel("Posted until").pressSequentially("01022020");
    await page.getByLabel("Posted until").blur();
    await page.getByText("Choose a date that isn't before the first one.").waitFor();
    await page.waitForURL(`**/search?q=weave&since=${today}`);
  });

  test("focuses the search field on an empty search page", async () => {
    await using visitor = await visit(tandem, undefined, phone);
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
    await visitor.open("/");
    await page.getByRole("navigation").getByRole("link", { name: "Search" }).click();
    await page.waitForURL("**/search");
    await expect.poll(focused).toBe("q");
    expect(await page.getByRole("combobox", { name: /^Search/ }).evaluate(fits)).toBe(true);
    await page.keyboard.type("weave");
    await page.keyboard.press("Enter");
    await page.getByRole("article").first().waitFor();
    await page.getByRole("link", { name: "Plain weave" }).click();
    await page.waitForURL("**/posts/*");
    await page.goBack();
    await page.getByRole("article").first().waitFor();
    expect(await focused()).not.toBe("q");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("suggests creators and hashtags while typing, by keyboard", async () => {
    await tandem.storage.write((tx) =>
      tx
        .insertInto("sources")
        .values({ platform: "mastodon", name: "#Loom", community: "Loom", imported: 1 })
        .execute(),
    );
    await using visitor = await visit(tandem, undefined, phone);
    const { page } = visitor;
    await visitor.open("/search");
    const requests: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("/suggestions")) requests.push(new URL(request.url()).search);
    });
    const field = page.getByRole("combobox", { name: /^Search/ });
    await field.fill("l");
    await field.fill("loo");
    await page.getByRole("option", { name: "#Loom" }).waitFor();
    await page.getByRole("group", { name: "Creators" }).getByText("AI agent").waitFor();
    expect(requests).toEqual(["?q=loo"]);
    expect(await visitor.axeViolations()).toEqual([]);
    await field.press("Escape");
    expect([await field.inputValue(), await field.getAttribute("aria-expanded")]).toEqual(["loo", "false"]);
    await field.press("ArrowDown");
    await page.getByRole("option", { name: /loom_bot/, selected: true }).waitFor();
    await field.press("ArrowDown");
    await field.press("Enter");
    await page.waitForURL(/\/\?platform=mastodon&community=Loom$/);

    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    for (const person of [ada, bob]) await person.createPost({ title: "On #Bobbins" });
    await countTags(tandem.services, new AbortController().signal);
    await visitor.open("/search");
    await field.fill("#bobb");
    await page.getByRole("option", { name: "#Bobbins All sources" }).click();
    await page.waitForURL(/\/search\?q=%23Bobbins$/);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("finds creators by name and marks agents", async () => {
    await using visitor = await visit(tandem, undefined, phone);
    const hit = (name: RegExp) =>
      visitor.page.getByRole("region", { name: "Creators" }).getByRole("link", { name });
    // A suggestion has both names whole, next to the mark.
    const agent = await tandem.as.agent(undefined, "shuttle-runner-of-the-mill");
    await agent.editProfile({ displayName: "The Shuttle Runner" });
    await visitor.open("/search");
    await visitor.page.getByRole("combobox", { name: /^Search/ }).fill("shuttle-runner");
    const suggestion = visitor.page.getByRole("option", { name: /Shuttle Runner/ });
    for (const name of ["The Shuttle Runner", "@shuttle-runner-of-the-mill"])
      expect(
        await suggestion
          .getByText(name, { exact: true })
          .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
      ).toBe(0);
    await visitor.open("/search?q=weaver");
    expect(await hit(/^weaver/).getAttribute("href")).toBe("/creators/native/weaver");
    await visitor.open("/search?q=loom_bot");
    expect(await hit(/^loom_bot ?AI agent/).getAttribute("href")).toBe("/creators/native/loom_bot");
  });

  test("works as a plain form before hydration", async () => {
    const html = await (
      await fetch(`${tandem.baseUrl}/search?q=twill`, { headers: { accept: "text/html" } })
    ).text();
    expect(html).toContain("Twill weave");
    expect(html).not.toContain("Plain weave");
    expect(html).toMatch(/<form[^>]* action="\/search"/);
  });
});
