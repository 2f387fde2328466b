import { limits } from "@tandem/contract/limits";
import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import type { Locator, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { locales } from "../../shared/locales.ts";

describe("writing a post", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  const posts = async (q: string) => (await ada.listPosts({ author: "ada", q })).posts;
  const post = ({ page }: Visitor) => page.getByRole("button", { name: "Post", exact: true });
  const onPage = ({ page }: Visitor) => page.waitForURL(/\/posts\/\d+$/);
  /** `margin` is what a bar covers at the bottom. */
  const isInView = (of: Locator, margin = 56) =>
    of.evaluate((element, margin) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 56 && bottom <= innerHeight - margin;
    }, margin);

  test("on phones has choices of two lines at most and one row of buttons, in every language", async () => {
    await using visitor = await visit(tandem, await tandem.as.human(), phone);
    const { page } = visitor;
    for (const value of Object.keys(locales)) {
      await page.context().addCookies([{ name: "tandem_locale", value, url: tandem.baseUrl }]);
      await visitor.open("/compose");
      const choices = page.locator("label:has([name=provenance])");
      const heights = await choices.evaluateAll((all) => all.map((choice) => choice.clientHeight));
      expect([value, heights.length, Math.max(...heights) <= 44]).toEqual([value, 3, true]);
      const icons = await choices.locator("svg").evaluateAll((all) => all.map((icon) => icon.clientWidth));
      expect([value, Math.min(...icons) >= 10]).toEqual([value, true]);
      const bar = await page.locator(".post-editor > .sticky").boundingBox();
      expect([value, bar && bar.height < 70]).toEqual([value, true]);
    }
  });

  test("focuses the first invalid field, and adds a missing https:// to a link", async () => {
    await using visitor = await visit(tandem, ada, phone);
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
    await visitor.open("/compose");
    const text = page.getByLabel("Text", { exact: true });
    await text.fill("Words alone.\n".repeat(40));
    // The button stays in view, also when a keyboard takes part of the window, and the tab bar makes room.
    const tabs = page.getByRole("navigation", { name: "Main" }).last();
    for (const height of [390, 844]) {
      await page.setViewportSize({ width: 390, height });
      await expect.poll(() => isInView(post(visitor), 0)).toBe(true);
      expect(await tabs.isVisible()).toBe(height === 844);
    }
    await page.getByLabel("Title").fill("x".repeat(limits.postTitle + 1));
    // A second press focuses it again.
    for (let press = 0; press < 2; press++) {
      await post(visitor).click();
      await expect.poll(focused).toBe("title");
      await expect.poll(() => isInView(page.getByText("Too long. Shorten it"))).toBe(true);
      expect(await isInView(page.getByLabel("Title"))).toBe(true);
    }
    await page.getByLabel("Title").fill("Led");
    await page.getByRole("button", { name: "Add a link" }).click();
    const link = page.getByRole("textbox", { name: "Link" });
    await link.fill("nowhere");
    await post(visitor).click();
    await expect.poll(focused).toBe("url");
    await page.getByText("Enter a web address that starts with https://").waitFor();
    await link.fill("example.org/page?q=1");
    await link.blur();
    await expect.poll(() => link.inputValue()).toBe("https://example.org/page?q=1");
    await link.fill("example.org/entered");
    await link.press("Enter");
    await onPage(visitor);
    expect(await posts("Led")).toMatchObject([{ url: "https://example.org/entered" }]);
  });

  test("syncs the draft between two tabs, and clears it in both once one has sent it", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    const other = await page.context().newPage();
    await other.goto(`${tandem.baseUrl}/compose`);
    await other.locator("html[data-alive]").waitFor();
    await page.getByLabel("Title").fill("Two tabs");
    await expect.poll(() => other.getByLabel("Title").inputValue()).toBe("Two tabs");
    await other.getByLabel("Text", { exact: true }).fill("One post");
    await expect.poll(() => page.getByLabel("Text", { exact: true }).inputValue()).toBe("One post");
    // While it is being sent, the other tab starts something else.
    const heldRoutes: Route[] = [];
    await page.route(/\/api\/posts$/, (route) => void heldRoutes.push(route));
    await post(visitor).click();
    await expect.poll(() => heldRoutes.length).toBe(1);
    await other.getByRole("button", { name: "Add a link" }).click();
    const link = other.getByRole("textbox", { name: "Link" });
    await link.fill("https://example.org/next");
    await heldRoutes.pop()?.continue();
    await onPage(visitor);
    await expect.poll(() => other.getByLabel("Title").inputValue()).toBe("");
    expect(await other.getByLabel("Text", { exact: true }).inputValue()).toBe("");
    expect(await link.inputValue()).toBe("https://example.org/next");
    await other.getByRole("button", { name: "Post", exact: true }).click();
    await other.getByText("Write something, or add a title.").waitFor();
    expect(await posts("Two tabs")).toMatchObject([{ body: "One post", url: null }]);
    await link.fill("");
    await other.close();
  });

  test("fails immediately when offline", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("Offline");
    let requestCount = 0;
    page.on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith("/api/posts")) requestCount++;
    });
    await page.context().setOffline(true);
    await post(visitor).click();
    await page.getByText("Can't reach Tandem").waitFor();
    expect(requestCount).toBe(1);
    await page.context().setOffline(false);
    await post(visitor).click();
    await onPage(visitor);
    expect(await posts("Offline")).toHaveLength(1);
  });
});
