import { startTandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("what gets the focus on a phone isn't under the bars at its edges", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  for (let i = 0; i < 12; i++) await ada.createPost({ title: `Note ${i}`, body: "On engines. ".repeat(i) });
  await using visitor = await visit(tandem, ada, phone);
  const { page } = visitor;
  await visitor.open("/");
  const covered: string[] = [];
  const articles = new Set<string>();
  for (const key of ["Tab", "Shift+Tab"])
    for (let i = 0; i < 45; i++) {
      await page.keyboard.press(key);
      const found = await page.evaluate(() => {
        const focused = document.activeElement;
        const article = focused?.closest("article");
        if (!focused || !article) return null;
        const { x, width, y, height } = focused.getBoundingClientRect();
        const isCovered = [y + 2, y + height - 2].some(
          (top) => !article.contains(document.elementFromPoint(x + width / 2, top)),
        );
        return { name: focused.outerHTML.slice(0, 90), post: article.dataset.post ?? "", isCovered };
      });
      if (found?.isCovered) covered.push(found.name);
      if (found) articles.add(found.post);
    }
  expect(articles.size).toBeGreaterThan(3);
  expect(covered).toEqual([]);
});
