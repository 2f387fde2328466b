import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("lists", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("are made and filled from profiles, read as feeds, renamed and deleted", async () => {
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    await bob.createPost({ title: "On looms" });
    await bob.createPost({ title: "On wool" });
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "reddit", author: "far_away", title: "From afar" }),
    );
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/lists");
    await page.getByText("No lists yet").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByLabel("Name of a new list").fill("Weavers");
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: "Weavers" }).click();
    await page.getByText("No one is on this list").waitFor();

    await visitor.open("/creators/native/bob");
    await page.getByRole("button", { name: "More options" }).first().click();
    await page.getByRole("menuitem", { name: "Add to list" }).click();
    const dialog = page.getByRole("dialog", { name: "Lists with @bob" });
    await dialog.getByLabel("Weavers").check();
    await dialog.getByLabel("Name of a new list").fill("Wool people");
    await dialog.getByRole("button", { name: "Create and add" }).click();
    await expect.poll(() => dialog.getByLabel("Wool people").isChecked()).toBe(true);
    expect(await visitor.axeViolations()).toEqual([]);
    await dialog.getByRole("button", { name: "Done" }).click();

    await visitor.open("/creators/reddit/far_away");
    await page.getByRole("button", { name: "Add to list" }).click();
    await page.getByRole("dialog").getByLabel("Weavers").check();
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();

    await visitor.open("/lists");
    await page.getByRole("link", { name: "Weavers" }).click();
    await page.getByText("From afar").waitFor();
    await page.getByText("On looms").waitFor();
    await page.getByText("2 creators").click();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Remove far_away" }).click();
    await page.getByText("1 creator").waitFor();
    // The open feed loses their posts, and keeps the others.
    await page.getByText("From afar").waitFor({ state: "detached" });
    await page.getByText("On looms").waitFor();
    await page.getByRole("button", { name: "Rename" }).click();
    await page.getByRole("dialog").getByLabel("Name").fill("Loom people");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Loom people" }).waitFor();
    await page.getByRole("button", { name: "Delete list" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete list" }).click();
    await page.getByRole("link", { name: "Wool people" }).waitFor();
    expect((await ada.listLists()).lists.map(({ name }) => name)).toEqual(["Wool people"]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
