import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("what someone follows besides creators", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("searches are saved, opened from a list that says what is new, renamed and deleted", async () => {
    const [ada, bob] = [await tandem.as.human("ada"), await tandem.as.human("bob")];
    await bob.createPost({ title: "Plain weave" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/search?q=weave&provenance=human");
    await page.getByRole("button", { name: "Save search" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Weaves by people");
    expect(await visitor.axeViolations()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Weaves by people" }).waitFor();
    expect(await page.getByRole("button", { name: "Save search" }).count()).toBe(0);
    const [saved] = (await ada.listSavedSearches()).searches;
    expect(saved).toMatchObject({ name: "Weaves by people", query: { q: "weave", provenance: "human" } });

    await visitor.open("/search");
    const link = page.getByRole("link", { name: "Weaves by people" });
    await link.waitFor();
    await bob.createPost({ title: "Twill weave" });
    await page.reload();
    await link.getByText("New", { exact: true }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await link.click();
    await page.getByRole("heading", { name: "Twill weave" }).waitFor();
    const hasNew = async () => (await ada.readSavedSearch({ id: saved?.id ?? 0 })).hasNew;
    await expect.poll(hasNew).toBe(false);
    await page.goBack();
    await link.waitFor();
    await expect.poll(() => link.getByText("New", { exact: true }).count()).toBe(0);
    await link.click();

    await page.getByRole("button", { name: "Rename search" }).click();
    await dialog.getByLabel("Name").fill("Weaves");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Weaves", exact: true }).waitFor();
    await page.getByRole("button", { name: "Delete search" }).click();
    await dialog.getByRole("button", { name: "Delete search" }).click();
    await page.getByRole("button", { name: "Save search" }).waitFor();
    expect((await ada.listSavedSearches()).searches).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("hashtags and communities are followed from their pages, and listed with creators", async () => {
    const [eve, dan] = [await tandem.as.human("eve"), await tandem.as.human("dan")];
    await dan.createPost({ title: "Dan's #looms" });
    await dan.createCommunity({ name: "spinning" });
    await dan.createPost({ title: "A wheel", community: "spinning" });
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "lemmy", community: "yarn", title: "From afar" }),
    );
    await using visitor = await visit(tandem, eve);
    const { page } = visitor;
    const follow = async (address: string, name: string) => {
      await visitor.open(address);
      await page.getByRole("button", { name: `Follow: ${name}` }).click();
      const followed = page.getByRole("button", { name: `Following: ${name}` });
      await followed.waitFor();
      expect(await followed.getAttribute("aria-pressed")).toBe("true");
      expect(await visitor.axeViolations()).toEqual([]);
    };
    await follow("/search?q=%23looms", "#looms");
    await follow("/?platform=lemmy&community=yarn", "yarn");
    await visitor.open("/c/spinning");
    await page.getByRole("button", { name: "Join" }).click();
    await page.getByRole("button", { name: "Following: spinning" }).waitFor();

    await visitor.open("/?followed=1");
    const titles = () => page.getByRole("article").getByRole("heading").allTextContents();
    await expect.poll(titles).toEqual(["From afar", "A wheel", "Dan's #looms"]);
    // One in its title, and one that says why it is there.
    const links = page.getByRole("article").last().getByRole("link", { name: "#looms", exact: true });
    await expect.poll(() => links.count()).toBe(2);
    expect(await visitor.axeViolations()).toEqual([]);

    await visitor.open("/following");
    for (const name of ["#looms", "yarn", "spinning"]) await page.getByRole("link", { name }).waitFor();
    await page.getByRole("button", { name: "Unfollow yarn" }).click();
    await page.getByRole("link", { name: "yarn" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Unfollow #looms" }).click();
    await page.getByRole("link", { name: "#looms" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Posts", exact: true }).click();
    await expect.poll(titles).toEqual(["A wheel"]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
