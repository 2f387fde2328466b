import type { Person } from "@tandem/testing/callers";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("the edit history", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  test("of a post is a link away, shows what each edit changed, and can be cleared", async () => {
    const key = await tandem.as.key(["posts:write"], ada);
    const { id } = (await ada.createPost({ title: "On looms", body: "My address is here." })).post;
    await key.editPost({ id, body: "It is gone." });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    await page.getByRole("link", { name: "edited" }).click();
    const [latest, first] = [1, 2].map((i) => page.getByRole("article").nth(i - 1));
    await latest?.getByText("Edited by AI").waitFor();
    expect(await latest?.locator("del").allTextContents()).toEqual([
      expect.stringContaining("My address"),
      expect.stringContaining("here"),
    ]);
    expect(await latest?.locator("ins").allTextContents()).toEqual([
      expect.stringContaining("It"),
      expect.stringContaining("gone"),
    ]);
    await first?.getByText("Written by a person").waitFor();
    await page.getByRole("button", { name: "Clear earlier versions" }).click();
    await page
      .getByRole("dialog")
      .or(page.getByRole("alertdialog"))
      .getByRole("button", { name: "Clear" })
      .click();
    await first?.getByText("The author cleared this version").waitFor();
    expect(await page.getByText("My address").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Clear earlier versions" }).count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("doesn't show a warning by AI with a version by a person", async () => {
    const { id } = (await ada.createPost({ title: "He wakes", body: "It was a dream." })).post;
    const key = await tandem.as.key(undefined, ada);
    await key.editPost({ id, contentWarning: "Spoilers" });
    await using visitor = await visit(tandem);
    await visitor.open(`/posts/${id}/versions`);
    const versions = visitor.page.getByRole("main").getByRole("article");
    await versions.last().getByText("Written by a person").waitFor();
    expect(await versions.first().textContent()).toContain("Spoilers");
    expect(await versions.last().textContent()).not.toMatch(/Spoilers|dream/);
  });

  test("of a warned post is behind the warning, earlier versions too, until the reader asks", async () => {
    const { id } = (await ada.createPost({ title: "He wakes", body: "It was a dream." })).post;
    await ada.editPost({ id, title: "The end", body: "It was no dream.", contentWarning: "Spoilers" });
    const image = new Blob([new Uint8Array(await drawPicture())]);
    const marked = (
      await ada.createPost({ title: "Mine", body: "Open.", alt: "Slime", image, sensitive: true })
    ).post.id;
    await ada.editPost({ id: marked, title: "Yours", alt: "More slime" });
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open(`/posts/${id}/versions`);
    const list = page.getByRole("main").locator("ol");
    await list.getByText("Written by a person").waitFor();
    for (const hidden of ["dream", "He wakes", "The end"])
      expect(await list.textContent()).not.toContain(hidden);
    expect(await visitor.axeViolations()).toEqual([]);
    await list
      .getByRole("button", { name: /Show.*Spoilers/ })
      .last()
      .press("Enter");
    await list.getByText("It was a dream.").waitFor();
    expect(await list.locator("del").count()).toBe(0);
    await list
      .getByRole("button", { name: /Show.*Spoilers/ })
      .first()
      .press("Enter");
    await list.locator("del").first().waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/posts/${marked}/versions`);
    await list.getByText("Open.").waitFor();
    expect(await list.textContent()).not.toMatch(/slime/i);
    await list
      .getByRole("button", { name: /Show.*Sensitive media/ })
      .last()
      .press("Enter");
    await list.getByText("Slime", { exact: true }).waitFor();
  });

  test("works without scripts, in pages, of a comment as well", async () => {
    const { id } = (await ada.createPost({ title: "0" })).post;
    for (let i = 1; i <= 12; i++) await ada.editPost({ id, title: String(i) });
    const { comment } = await ada.createComment({ id, body: "One" });
    await ada.editComment({ id: comment.id, body: "Two" });
    const html = async (path: string) =>
      (await fetch(tandem.baseUrl + path, { headers: { accept: "text/html" } })).text();
    expect(await html(`/posts/${id}`)).toContain(`href="/posts/${id}/versions"`);
    const first = await html(`/posts/${id}/versions`);
    expect(first.match(/Version \d+/g)).toEqual(Array.from({ length: 10 }, (_, i) => `Version ${13 - i}`));
    expect(first).toContain('rel="next" href="?cursor=4"');
    const second = await html(`/posts/${id}/versions?cursor=4`);
    expect(second.match(/Version \d+/g)).toEqual(["Version 3", "Version 2", "Version 1"]);
    expect(await html(`/posts/${id}`)).toContain(`href="/comments/${comment.id}/versions"`);
    const ofComment = await html(`/comments/${comment.id}/versions`);
    expect(ofComment).toContain("<ins");
    expect(ofComment).toContain(`href="/posts/${id}#comment-${comment.id}"`);
    const missing = await fetch(`${tandem.baseUrl}/comments/4711/versions`, {
      headers: { accept: "text/html" },
    });
    expect(missing.status).toBe(404);
  });
});
