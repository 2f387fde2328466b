import type { Person } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { pendingDraft } from "@tandem/testing/pending-draft";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("editing posts and drafts", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  const posts = async (q: string) => (await ada.listPosts({ author: "ada", q })).posts;

  test("saves, schedules, edits, publishes and discards drafts", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const drafts = async () => (await ada.listDrafts()).drafts;
    await visitor.open("/compose");
    await page.getByLabel("Title").fill("For later");
    await page.getByRole("button", { name: "Save draft" }).click();
    await page.getByRole("heading", { name: "For later" }).waitFor();
    await page.getByRole("button", { name: "Schedule" }).click();
    await page.getByLabel("Date and time").fill("2020-01-01T10:00");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await page.getByText("Choose a time in the future").waitFor();
    await page.getByLabel("Date and time").fill("2099-01-01T10:00");
    await dialog.getByRole("button", { name: "Schedule" }).click();
    await page.locator('time[datetime^="2099-01-01"]').waitFor();
    expect(await drafts()).toMatchObject([{ state: "scheduled", title: "For later" }]);
    await page.getByRole("button", { name: "Unschedule" }).click();
    await expect.poll(drafts).toMatchObject([{ state: "kept", publishAt: null }]);
    await page.getByRole("link", { name: "Edit For later" }).click();
    await page.getByLabel("Text", { exact: true }).fill("For later\n\nNow it has a text.");
    await page.getByRole("radio", { name: "AI-assisted" }).check();
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    expect(await posts("For later")).toMatchObject([
      { body: "Now it has a text.", provenance: "ai_assisted" },
    ]);
    await ada.createDraft({ title: "Never" });
    await visitor.open("/drafts");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
    await page.getByText("No drafts").waitFor();
    expect(await drafts()).toEqual([]);
  });

  test("keeps changes to a draft that couldn't be published", async () => {
    const { draft } = await ada.createDraft({ title: "Old words" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/compose?draft=${draft.id}`);
    await page.getByLabel("Title").fill("New words");
    await page.route(`**/api/drafts/${draft.id}/publish`, (route) =>
      route.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } }),
    );
    await page.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Something went wrong on our side").waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("New words");
    await page.unroute(`**/api/drafts/${draft.id}/publish`);
    await page.getByRole("button", { name: "Publish" }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    expect(await posts("New words")).toHaveLength(1);
    expect(
      await page.evaluate(() => Object.keys(localStorage).filter((name) => name.includes("kept"))),
    ).toEqual([]);
  });

  test("shows what an approval changes in products, the profile and the avatar", async () => {
    const agent = await tandem.as.agent(ada, "shop_bot");
    const { product } = await agent.createProduct({
      title: "A loom",
      url: "https://example.org/loom",
      price: "90 EUR",
    });
    await agent.editProfile({ bio: "I sell looms." });
    await ada.editKey({ id: agent.keyId, approval: true });
    await pendingDraft(agent.editProduct({ id: product.id, title: "A fine loom", price: null }));
    await pendingDraft(agent.editProfile({ displayName: "Loom shop", bio: "I sell fine looms." }));
    const image = new Blob([new Uint8Array(await drawPicture({ width: 90, height: 90 }))]);
    await pendingDraft(agent.setAvatar({ image }));
    await pendingDraft(agent.deleteProduct({ id: product.id }));
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/drafts");
    const item = (name: string) => page.getByRole("listitem").filter({ hasText: name });
    const edit = item("Edit to a product");
    expect(await edit.getByText("AI-generated").count()).toBe(1);
    expect(await edit.getByRole("deletion").allTextContents()).toEqual([
      "Before: AI A loom",
      "Before: AI 90 EUR",
    ]);
    expect(await edit.getByRole("insertion").allTextContents()).toEqual([
      "After: A fine loom",
      "After: (empty)",
    ]);
    expect(await item("New profile picture").locator("img").count()).toBe(1);
    expect(await visitor.axeViolations()).toEqual([]);
    await item("Edit to the profile").getByRole("button", { name: "Approve" }).click();
    await page.getByRole("status").getByText("Approved.").waitFor();
    await item("Deletion of a product").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("status").getByText("Rejected.").waitFor();
    const { creator } = await ada.readCreator({ platform: "native", author: "shop_bot" });
    expect(creator).toMatchObject({ displayName: "Loom shop", bio: "I sell fine looms." });
    expect((await ada.listDrafts()).drafts.map(({ operation }) => operation)).toEqual([
      "setAvatar",
      "editProduct",
    ]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("says that a draft that a key rewrote keeps its label", async () => {
    const { draft } = await ada.createDraft({ title: "My words", provenance: "human" });
    const key = await tandem.as.key(["posts:write"], ada);
    await key.editDraft({ id: draft.id, title: "Its words" });
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/compose?draft=${draft.id}`);
    await visitor.page.getByText("by an agent or with a key, so Tandem adds this label.").waitFor();
    await visitor.page.getByRole("button", { name: "Publish" }).click();
    await visitor.page.waitForURL(/\/posts\/\d+$/);
    expect(await posts("Its words")).toMatchObject([{ provenanceBasis: "stamped" }]);
  });

  test("asks a person to approve their agent's post", async () => {
    const agent = await tandem.as.agent(ada, "asking_bot");
    await agent.editProfile({ displayName: "Asking Bot" });
    await ada.editKey({ id: agent.keyId, approval: true });
    await pendingDraft(agent.createPost({ title: "May I?" }));
    await using visitor = await visit(tandem, ada);
    await visitor.open("/drafts");
    await visitor.page.getByText("as Asking Bot (@asking_bot)").waitFor();
    await visitor.page.getByRole("link", { name: "Edit May I?" }).click();
    await visitor.page
      .getByText("This was written by an agent or with a key, so Tandem adds this label.")
      .waitFor();
    await visitor.page.getByRole("button", { name: "Approve" }).click();
    await expect
      .poll(async () => (await ada.listPosts({ author: "asking_bot" })).posts)
      .toMatchObject([{ title: "May I?", provenance: "ai_generated" }]);
  });

  test("shows a draft's label, community and poll, and moves it to a community, whose refusal is translated", async () => {
    const [open, people] = [communityName("open"), communityName("people")];
    await ada.createCommunity({ name: open });
    await ada.createCommunity({ name: people, aiPolicy: "people_only" });
    const closesAt = new Date(Date.now() + 86_400_000).toISOString();
    const { draft } = await ada.createDraft({
      ...{ title: "Twill?", provenance: "ai_assisted", community: open },
      poll: { options: ["Twill", "Plain"], isMultiple: false, closesAt },
    });
    await using visitor = await visit(tandem, ada, { locale: "de" });
    const { page } = visitor;
    await visitor.open("/drafts");
    const item = page.getByRole("listitem").filter({ hasText: "Twill?" });
    await item.getByRole("link", { name: open }).waitFor();
    await item.getByText("Mit KI-Hilfe").waitFor();
    await item.locator(`time[datetime="${closesAt}"]`).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await ada.editDraft({ id: draft.id, community: people });
    await item.getByRole("button", { name: /^Veröffentlichen/ }).click();
    await page.getByText("Die KI-Regeln der Community erlauben das nicht.").waitFor();

    await visitor.open(`/compose?draft=${draft.id}`);
    const community = page.getByRole("combobox", { name: "Community" });
    await expect.poll(() => community.inputValue()).toBe(people);
    await community.selectOption(open);
    await page.getByRole("button", { name: "Veröffentlichen" }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    expect(await posts("Twill")).toMatchObject([{ community: open, provenance: "ai_assisted" }]);
  });

  test("allows editing only your own posts", async () => {
    const { post: created } = await ada.createPost({ title: "Wraps", body: "First." });
    const { product } = await ada.createProduct({ title: "A comb", url: "https://example.org/comb" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${created.id}/edit`);
    await page.getByLabel("Title").fill("Warps");
    await visitor.open(`/posts/${created.id}/edit`);
    await page.getByText("Unsent draft restored.").waitFor();
    expect(await page.getByLabel("Title").inputValue()).toBe("Warps");
    await page.getByLabel("Text", { exact: true }).fill("");
    await page.getByRole("button", { name: "Attach products" }).click();
    await page.getByLabel("A comb").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    await page.getByRole("heading", { name: "Warps" }).waitFor();
    const { post: now } = await ada.readPost({ id: created.id });
    expect(now).toMatchObject({ title: "Warps", body: null, products: [{ id: product.id }] });
    // What is a title as a whole was probably written without one.
    await visitor.open(`/posts/${created.id}/edit`);
    expect(await page.getByLabel("Text", { exact: true }).inputValue()).toBe("Warps");
    expect(await page.getByLabel("Title").inputValue()).toBe("");
    await using other = await visit(tandem, await tandem.as.human());
    await other.open(`/posts/${created.id}/edit`);
    await other.page.getByRole("heading", { name: "Only the author can edit a post" }).waitFor();
  });
});
