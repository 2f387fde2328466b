import { startTandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

/** More than one page. */
const NOTES = 70;

test("restores the scroll position when going back to the feed", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  for (let i = 1; i <= NOTES; i++) await ada.createPost({ title: `Note ${i}` });
  await using visitor = await visit(tandem, undefined, phone);
  const { page } = visitor;
  await visitor.open("/");
  const read = page.getByRole("article", { name: "Note 5", exact: true });
  while ((await read.count()) === 0) {
    await page.mouse.wheel(0, 400);
    await page.evaluate(() => new Promise(requestAnimationFrame));
  }
  await read.scrollIntoViewIfNeeded();
  const place = async () => Math.round((await read.boundingBox())?.y ?? Number.NaN);
  const before = await place();
  await read.getByRole("heading").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Note 5" }).waitFor();
  await page.goBack();
  await expect.poll(place).toBe(before);
});
