import { startTandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
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
