import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("mutes", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  test("mute an author from a post's menu, and unmute them on their profile", async () => {
    const [ada, loud] = [await tandem.as.human("ada"), await tandem.as.human("loud")];
    await loud.createPost({ title: "Much ado" });
    await loud.createPost({ title: "More ado" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/");
    const card = page.getByRole("article").filter({ hasText: "Much ado" });
    await card.getByRole("button", { name: "More options" }).click();
    await page.getByRole("menuitem", { name: "Mute @loud" }).click();
    await page.getByLabel("Duration").selectOption("7 days");
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByText("You muted @loud.").waitFor();
    await expect.poll(() => page.getByText(/Much ado|More ado/).count()).toBe(0);
    const [mute] = (await ada.listMutes()).mutes;
    const days = (Date.parse(mute?.until ?? "") - Date.now()) / 86_400_000;
    expect([mute?.author, Math.round(days)]).toEqual(["loud", 7]);
    await visitor.open("/creators/native/loud");
    await page.getByText("You muted this account.").waitFor();
    await page.getByText("Much ado").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Unmute" }).click();
    await expect.poll(() => page.getByText("You muted this account.").count()).toBe(0);
    await page.getByRole("button", { name: "More options" }).first().click();
    await page.getByRole("menuitem", { name: "Mute @loud" }).waitFor();
    expect((await ada.listMutes()).mutes).toEqual([]);
  });

  test("mute an author of another platform on their profile", async () => {
    const reader = await tandem.as.human("reader");
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, { platform: "reddit", author: "far_away", title: "From afar" }),
    );
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open("/creators/reddit/far_away");
    await page.getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByText("You muted this account.").waitFor();
    await visitor.open("/");
    expect(await page.getByText("From afar").count()).toBe(0);
  });

  test("a list whose pages are all empty loads no more by itself", async () => {
    const reader = await tandem.as.human("patient");
    for (let i = 0; i < 30; i++) await reader.createPost({ title: `Post ${i}` });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    let calls = 0;
    await page.route(/api\/posts\?.*cursor=/, (route) => {
      calls += 1;
      return route.fulfill({ json: { posts: [], nextCursor: 1000 - calls } });
    });
    await visitor.open("/");
    await page.getByText("Post 29").waitFor();
    await page.getByRole("article").last().scrollIntoViewIfNeeded();
    await page.getByText("The posts here are muted or hidden.").waitFor();
    expect(calls).toBe(2);
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("link", { name: "More", exact: true }).click();
    await expect.poll(() => calls).toBe(3);
    await page.getByRole("link", { name: "More", exact: true }).waitFor();
    expect(calls).toBe(3);
  });

  test("add words and tags for a time, reject what is neither, and remove them", async () => {
    const [eve, writer] = [await tandem.as.human("eve"), await tandem.as.human("writer")];
    await writer.createPost({ title: "The finale ends badly" });
    await using visitor = await visit(tandem, eve);
    const { page } = visitor;
    await visitor.open("/mutes");
    await page.getByText("Nothing is muted").waitFor();
    const add = async (text: string) => {
      await page.getByLabel("Word, phrase or #tag").fill(text);
      await page.keyboard.press("Enter");
    };
    await add("...");
    await page.getByText("It needs at least one letter, digit or emoji.").waitFor();
    await add("Finale");
    await page.getByText("You muted Finale.").waitFor();
    await page.getByLabel("Duration").selectOption("1 day");
    await add("#spoilers");
    await page.getByRole("listitem").filter({ hasText: "#spoilers" }).getByText("Until").waitFor();
    await visitor.open("/");
    expect(await page.getByText("The finale ends badly").count()).toBe(0);
    await visitor.open("/mutes");
    await page.getByRole("button", { name: "Unmute Finale" }).press("Enter");
    await page.getByRole("status").getByText("You unmuted Finale.").waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    expect((await eve.listMutes()).mutes.map(({ tag }) => tag)).toEqual(["spoilers"]);
  });

  test("a muted comment is collapsed until the reader shows it", async () => {
    const [kim, pat] = [await tandem.as.human("kim"), await tandem.as.human("pat")];
    const { post } = await kim.createPost({ title: "Any thoughts?" });
    await pat.createComment({ id: post.id, body: "Plenty of them" });
    await using visitor = await visit(tandem, kim);
    const { page } = visitor;
    await visitor.open(`/posts/${post.id}`);
    const more = page.getByRole("button", { name: "More options for @pat's comment" });
    const choose = async () => {
      await more.press("Enter");
      await page.getByRole("menuitem", { name: "Mute @pat" }).press("Enter");
      const dialog = page.getByRole("dialog", { name: "Mute @pat?" });
      await dialog.waitFor();
      // From then on it gives the focus back.
      await expect.poll(() => dialog.evaluate((it) => it.contains(document.activeElement))).toBe(true);
    };
    // The menu, which is loaded by its first click, gives the focus back to its button, also after a dialog that it opens.
    await choose();
    await page.keyboard.press("Escape");
    const focused = () => more.evaluate((button) => button === document.activeElement);
    await expect.poll(focused).toBe(true);
    await choose();
    await page.getByRole("dialog").getByRole("button", { name: "Mute", exact: true }).click();
    await page.getByText("Hidden by a mute").waitFor();
    expect(await page.getByText("Plenty of them").count()).toBe(0);
    await page.getByRole("button", { name: "Show", exact: true }).click();
    await page.getByText("Plenty of them").waitFor();
  });
});
