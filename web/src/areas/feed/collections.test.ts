import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("collections", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("are made while saving, filled from a post's menu, read, renamed and deleted", async () => {
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    for (const title of ["On looms", "On wool"]) await bob.createPost({ title });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/");
    const card = (title: string) => page.getByRole("article").filter({ hasText: title });
    const save = card("On looms").getByRole("button", { name: "Save" });
    await save.focus();
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByRole("button", { name: "Add to collection" }).focus();
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "Collections with this post" });
    await dialog.getByLabel("Name of a new collection").fill("To weave");
    await page.keyboard.press("Enter");
    await expect.poll(() => dialog.getByLabel("To weave").isChecked()).toBe(true);
    expect(await visitor.axeViolations()).toEqual([]);
    await page.keyboard.press("Escape");
    await expect.poll(() => save.evaluate((button) => button === document.activeElement)).toBe(true);

    await card("On wool").getByRole("button", { name: "More" }).click();
    await page.getByRole("menuitem", { name: "Add to collection" }).click();
    await dialog.getByLabel("To weave").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await expect
      .poll(() => card("On wool").getByRole("button", { name: "Save" }).getAttribute("aria-pressed"))
      .toBe("true");

    await page.getByRole("link", { name: "Saved" }).first().click();
    const bar = page.getByRole("navigation", { name: "Collections" });
    await bar.getByRole("link", { name: "To weave" }).click();
    await page.getByText("2 posts").waitFor();
    await expect.poll(() => page.getByRole("article").count()).toBe(2);
    await expect.poll(() => page.getByRole("article").first().textContent()).toContain("On wool");
    expect(await visitor.axeViolations()).toEqual([]);
    await card("On wool").getByRole("button", { name: "Save" }).click();
    await page.getByText("1 post", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Rename collection" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Loom things");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Loom things" }).waitFor();
    await page.getByRole("button", { name: "New collection" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Nothing yet");
    await page.keyboard.press("Enter");
    await page.getByText("This collection is empty").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Delete collection" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete collection" }).click();
    await expect
      .poll(async () => (await ada.listCollections()).collections.map(({ name }) => name))
      .toEqual(["Loom things"]);
    await expect.poll(() => bar.getByRole("link", { name: "Nothing yet" }).count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });
});
