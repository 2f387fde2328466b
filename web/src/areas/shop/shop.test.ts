import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("the shop", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("adds, edits and deletes a product", async () => {
    const ada = await tandem.as.human("ada");
    const products = async () => (await ada.listProducts({ mine: 1 })).products;
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/shop/mine");
    await page.getByRole("button", { name: "Add a product" }).click();
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await expect.poll(() => page.getByText("Required.").count()).toBe(2);
    await page.getByLabel("Name").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Name").fill("A fine teapot");
    await expect.poll(() => page.getByText("Required.").count()).toBe(1);
    await page.getByLabel("Product link").fill("at home");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("Enter a valid web address.").waitFor();
    await page.getByLabel("Product link").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Product link").fill("example.org/teapot");
    await page.getByLabel("Price").fill("12.50");
    expect(await page.getByLabel("Product link").inputValue()).toBe("https://example.org/teapot");
    await page.getByLabel("Category").fill("Kitchen");
    await page.route("**/api/products", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({ status: 401, json: { error: "no", code: "unauthorized" } })
        : route.continue(),
    );
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByLabel("Currency").and(page.locator(":focus")).waitFor();
    await page.getByLabel("Currency").selectOption("EUR");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("You've been logged out.").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("A fine teapot");
    await page.unroute("**/api/products");
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await visitor.open("/shop/mine");
    await page.getByRole("button", { name: "Add a product" }).click();
    await expect.poll(() => page.getByLabel("Price").inputValue()).toBe("12.50");
    expect(await page.getByLabel("Currency").inputValue()).toBe("EUR");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("€12.50 · Kitchen").waitFor();
    expect(await products()).toMatchObject([{ title: "A fine teapot", price: "12.50 EUR", imageUrl: null }]);

    await page.getByRole("button", { name: "Edit A fine teapot" }).press("Enter");
    await page.getByLabel("Name").fill("Never mind");
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("button", { name: "Edit A fine teapot" }).press("Enter");
    expect(await page.getByLabel("Name").inputValue()).toBe("A fine teapot");
    await page.getByLabel("Price").fill("");
    await page.getByLabel("Image link").fill("https://example.org/teapot.webp");
    await page.getByLabel("Name").fill("A finer teapot");
    await page.keyboard.press("Enter");
    await page.getByText("Product saved.").waitFor();
    expect(await products()).toMatchObject([
      { title: "A finer teapot", price: null, imageUrl: "https://example.org/teapot.webp" },
    ]);

    await page.getByRole("button", { name: "Delete A finer teapot" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("You have no products yet").waitFor();
    expect(await products()).toEqual([]);
  });

  test("lists products by category, and counts clicks", async () => {
    const mary = await tandem.as.human("mary");
    const add = (title: string, category: string) =>
      mary.createProduct({ title, category, url: `https://example.org/${category}`, price: 3 });
    const { product } = await add("Loom", "Craft");
    await add("Flute", "Music");
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/shop");
    await page.getByRole("link", { name: "Craft" }).click();
    await expect.poll(() => page.getByRole("link", { name: "Flute" }).count()).toBe(0);
    const link = page.getByRole("link", { name: "Loom" });
    await page.getByText("currency not stated").waitFor();
    await page.getByRole("link", { name: "mary @mary" }).click();
    await page.waitForURL("**/creators/native/mary");
    await page.goBack();
    expect(await link.getAttribute("rel")).toContain("nofollow");
    expect(await link.getAttribute("href")).toBe(`/out/${product.id}`);
    await fetch(`${tandem.baseUrl}/out/${product.id}`, {
      redirect: "manual",
      headers: { "user-agent": await page.evaluate(() => navigator.userAgent) },
    });
    // Clicks are stored together, every second.
    await expect.poll(async () => (await mary.analytics()).totals.productClicks, { timeout: 20_000 }).toBe(1);
    await using owner = await visit(tandem, mary);
    await owner.open("/shop/mine");
    await owner.page.getByText("1 click, 1 in the last 7 days").waitFor();
  });

  test("filters by category across pages, and paginates without scripts", async () => {
    const paula = await tandem.as.human("paula");
    const add = (title: string, category: string) =>
      paula.createProduct({ title, category, url: "https://example.org/" });
    await add("Bobbin lace", "Lace");
    for (let i = 0; i < 25; i++) await add(`Ribbon ${i}`, "Ribbons");
    const html = async (path: string) => {
      const response = await fetch(`${tandem.baseUrl}${path}`, { headers: { accept: "text/html" } });
      return (await response.text()).split('id="state"')[0] ?? "";
    };
    const first = await html("/shop?category=Ribbons");
    const [, next = ""] = first.match(/<a rel="next" href="([^"]+)"/) ?? [];
    const second = await html(`/shop${next.replaceAll("&amp;", "&")}`);
    const ribbons = [first, second].flatMap((text) => text.match(/>Ribbon \d+</g) ?? []);
    expect(new Set(ribbons).size).toBe(25);
    expect(ribbons.length).toBe(25);
    expect(second).not.toContain('rel="next"');
    expect(await html("/shop?category=Lace")).toContain("Bobbin lace");
  });

  test("has an accessible form for a product", async () => {
    await using visitor = await visit(tandem, await tandem.as.human());
    await visitor.open("/shop/mine");
    await visitor.page.getByRole("button", { name: "Add a product" }).click();
    await visitor.page.getByRole("dialog").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
