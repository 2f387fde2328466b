import type { Person } from "@tandem/testing/callers";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import type { Locator, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

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
  const isInView = (of: Locator) =>
    of.evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect();
      return top >= 56 && bottom <= innerHeight - 56;
    });

  test("focuses the first invalid field, and adds a missing https:// to a link", async () => {
    await using visitor = await visit(tandem, ada, phone);
    const { page } = visitor;
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute("name"));
    await visitor.open("/compose");
    await page.getByLabel("Text", { exact: true }).fill("Words alone.\n".repeat(40));
    await page.getByText("(optional)").first().waitFor();
    // A second press focuses it again.
    for (let press = 0; press < 2; press++) {
      await post(visitor).click();
      await expect.poll(focused).toBe("title");
      await expect.poll(() => isInView(page.getByText("Add a title."))).toBe(true);
      expect(await isInView(page.getByLabel("Title"))).toBe(true);
    }
    await page.getByLabel("Title").fill("Led");
    const link = page.getByLabel("Link");
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
    await other.getByLabel("Link").fill("https://example.org/next");
    await heldRoutes.pop()?.continue();
    await onPage(visitor);
    await expect.poll(() => other.getByLabel("Title").inputValue()).toBe("");
    expect(await other.getByLabel("Text", { exact: true }).inputValue()).toBe("");
    expect(await other.getByLabel("Link").inputValue()).toBe("https://example.org/next");
    await other.getByRole("button", { name: "Post", exact: true }).click();
    await other.getByText("Add a title.").waitFor();
    expect(await posts("Two tabs")).toMatchObject([{ body: "One post", url: null }]);
    await other.getByLabel("Link").fill("");
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
