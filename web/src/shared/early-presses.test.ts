import { startTandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { expect, test } from "vitest";

test("a button pressed before the app's scripts have loaded acts once they have, and only once", async () => {
  await using tandem = await startTandem();
  const ada = await tandem.as.human();
  const { post } = await ada.createPost({ title: "Liked early" });
  await using visitor = await visit(tandem, ada);
  const { page } = visitor;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/browser*.js", async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(tandem.baseUrl, { waitUntil: "commit" });
  const like = page.getByRole("button", { name: /^Like/ });
  const menu = page.getByRole("button", { name: "More options for this post" });
  for (const button of [like, like, menu]) await button.click();
  expect(await page.evaluate(() => "hydrating" in document.documentElement.dataset)).toBe(false);
  release();
  await page.getByRole("menuitem").first().waitFor();
  await expect.poll(async () => (await ada.readPost({ id: post.id })).post.liked).toBe(true);
  expect(await page.locator("[data-early]").count()).toBe(0);
  expect(visitor.browserErrors).toEqual([]);
});
