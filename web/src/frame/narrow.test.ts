import { startTandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";
import { locales } from "../shared/locales.ts";

/** WCAG's narrowest window, and a common small phone. */
const widths = [320, 375];

test("the bar above the page and the form for a post fit narrow phones in each language", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const faults: string[] = [];
  for (const locale of Object.keys(locales))
    for (const [path, reader] of [["/signup", undefined] as const, ["/compose", ada] as const]) {
      await using visitor = await visit(tandem, reader, { locale });
      for (const width of widths) {
        await visitor.page.setViewportSize({ width, height: 700 });
        await visitor.open(path);
        const excess = await visitor.page.evaluate(() => {
          const { scrollWidth, clientWidth } = document.documentElement;
          return scrollWidth - clientWidth;
        });
        if (excess > 0) faults.push(`${path} in ${locale} is ${excess} pixels too wide for ${width}`);
      }
    }
  expect(faults).toEqual([]);
});

test("phones have a member's pages in the bar above the page, one tap away, and the composer's tools in one row", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const rows: string[] = [];
  for (const locale of Object.keys(locales)) {
    await using visitor = await visit(tandem, ada, { ...phone, locale });
    const { page } = visitor;
    await visitor.open("/compose");
    const tools = page.locator("form fieldset:has(svg.lucide-image-plus)");
    const submit = page.locator("form button[type=submit]");
    const centers = await Promise.all(
      [tools, submit].map((part) =>
        part.evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return Math.round((top + bottom) / 2);
        }),
      ),
    );
    if (centers[0] !== centers[1]) rows.push(`${locale}: ${centers}`);
    if (locale !== "en") continue;
    for (const [name, path] of [
      ["Saved", "/?saved=1"],
      ["Drafts", "/drafts"],
      ["Analytics", "/analytics"],
    ] as const) {
      await page.getByRole("banner").getByRole("link", { name }).click();
      await page.waitForURL(`**${path}`);
      expect(await page.getByRole("banner").getByRole("link", { name }).getAttribute("aria-current")).toBe(
        "page",
      );
    }
  }
  expect(rows).toEqual([]);
});

test("the column shows that the reader is writing a post", async () => {
  await using tandem = await startTandem();
  await using visitor = await visit(tandem, await tandem.as.human(), {
    viewport: { width: 1440, height: 900 },
  });
  const post = visitor.page.getByRole("banner").getByRole("link", { name: "Post", exact: true });
  const background = () => post.evaluate((link) => getComputedStyle(link).backgroundColor);
  await visitor.open("/");
  const before = await background();
  await post.click();
  await visitor.page.waitForURL("**/compose");
  expect(await post.getAttribute("aria-current")).toBe("page");
  await expect.poll(background).not.toBe(before);
  expect(await visitor.axeViolations()).toEqual([]);
});
