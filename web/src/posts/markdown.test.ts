import type { Person } from "@tandem/testing/callers";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const everything = [
  '# Looms\n\nBy **hand**, *slowly*, ~~by machine~~, with `code` and [a link](https://example.org/loom "A loom").\nNew line, @ada_l, #weave.',
  "- one\n- two\n  1. nested",
  "> Quoted\n\n```js\nconst loom = 1;\n```\n\n---\n\n| Thread | Colour |\n| --- | ---: |\n| warp | red |",
  "<script>alert(1)</script> [evil](javascript:alert(1)) ![A picture](https://example.org/loom.png)",
].join("\n\n");

describe("Markdown", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
  });
  afterAll(() => tandem.stop());

  const html = async (path: string) =>
    (await fetch(tandem.baseUrl + path, { headers: { accept: "text/html" } })).text();

  test("is shown as elements, without scripts, on a post's page, and kept as it was typed", async () => {
    const { post } = await ada.createPost({ title: "All of it", body: everything });
    expect((await ada.readPost({ id: post.id })).post.body).toBe(everything);
    const page = await html(`/posts/${post.id}`);
    for (const element of [
      /<h2 [^>]*>Looms<\/h2>/,
      "<strong>hand</strong>",
      "<em>slowly</em>",
      "<del>by machine</del>",
      /<code [^>]*>code<\/code>/,
      /<a href="https:\/\/example.org\/loom" rel="ugc nofollow noopener noreferrer" target="_blank" [^>]*title="A loom">a link<\/a>/,
      /<a [^>]*href="\/creators\/native\/ada_l"[^>]*>@ada_l<\/a>/,
      /<a [^>]*href="\/search\?q=%23weave"[^>]*>#weave<\/a>/,
      /<blockquote /,
      /<pre [^>]*><code>const loom = 1;<\/code><\/pre>/,
      /<th [^>]*>Thread<\/th>/,
      "&lt;script&gt;alert(1)&lt;/script&gt; [evil](javascript:alert(1))",
      /<a href="https:\/\/example.org\/loom.png"[^>]*>A picture<\/a>/,
    ])
      expect(page).toMatch(element);
    expect(page).not.toContain('<img src="https://example.org');
  });

  test("looks right on every screen, in the feed and on the page", async () => {
    const { post } = await ada.createPost({ title: "On every screen", body: everything });
    await ada.createComment({ id: post.id, body: everything });
    await using visitor = await visit(tandem, ada);
    for (const path of ["/", `/posts/${post.id}`]) {
      await visitor.open(path);
      await visitor.page.getByText("By hand").first().waitFor();
      expect(await faultsOf(visitor)).toEqual([]);
    }
    expect(visitor.browserErrors).toEqual([]);
  });

  test("is not what imported posts are", async () => {
    const id = await tandem.storage.write((tx) =>
      insertImportedPost(tx, {
        title: "Imported",
        body: "# 1 *not* emphasis\n- a",
      }),
    );
    const page = await html(`/posts/${id}`);
    expect(page).toContain("# 1 *not* emphasis\n- a");
  });

  test("of a long post ends in the feed with a link to the rest", async () => {
    const { post } = await ada.createPost({ title: "A long list", body: "- **item** of it\n".repeat(40) });
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/");
    const card = page.locator(`[data-post="${post.id}"]`);
    await card.getByRole("link", { name: "Read more" }).waitFor();
    expect(await card.getByRole("listitem").count()).toBeLessThan(10);
    expect(await card.locator("strong").first().textContent()).toBe("item");
  });

  test("has the direction of each block", async () => {
    const { post } = await ada.createPost({
      title: "Two ways",
      body: "Left to right\n\n- من اليمين\n\nagain",
    });
    await using visitor = await visit(tandem);
    await visitor.open(`/posts/${post.id}`);
    const direction = (selector: string) =>
      visitor.page
        .locator(`main article ${selector}`)
        .first()
        .evaluate((element) => getComputedStyle(element).direction);
    expect([await direction("p[dir]"), await direction("ul")]).toEqual(["ltr", "rtl"]);
  });

  test("is in feeds and structured data as what each needs", async () => {
    const bo = await tandem.as.human("bo");
    const { post } = await bo.createPost({ title: "For programs", body: "**Bold** _words_ <b>" });
    const feed = await (await fetch(`${tandem.baseUrl}/creators/native/bo/feed.rss`)).text();
    expect(feed).toContain("<p><strong>Bold</strong> <em>words</em> &lt;b&gt;</p>");
    const page = await html(`/posts/${post.id}`);
    expect(page).toContain('"text":"Bold words');
    expect(page).toMatch(/<meta name="description" content="Bold words/);
  });

  test("is written with buttons, shortcuts and a preview, and each change can be undone", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    const field = page.getByLabel("Text", { exact: true });
    await field.fill("a loom");
    await field.press("ControlOrMeta+a");
    await field.press("ControlOrMeta+b");
    expect(await field.inputValue()).toBe("**a loom**");
    await field.press("ControlOrMeta+b");
    expect(await field.inputValue()).toBe("a loom");
    await page.getByRole("button", { name: "List", exact: true }).click();
    expect(await field.inputValue()).toBe("- a loom");
    await field.press("ControlOrMeta+z");
    expect(await field.inputValue()).toBe("a loom");
    await field.press("ControlOrMeta+a");
    await field.press("ControlOrMeta+k");
    await page.keyboard.type("https://example.org/");
    expect(await field.inputValue()).toBe("[a loom](https://example.org/)");
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    const preview = page.getByRole("region", { name: "Preview", exact: true });
    expect(await preview.getByRole("link", { name: "a loom" }).getAttribute("href")).toBe(
      "https://example.org/",
    );
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await field.press("End");
    await page.keyboard.type(" is here.");
    expect(await field.inputValue()).toBe("[a loom](https://example.org/) is here.");
    // The first line becomes the title, which is plain text.
    await field.fill("A **bold** claim\n\nAnd *more*");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    await preview.getByText("A bold claim", { exact: true }).waitFor();
    expect(await preview.locator("strong").count()).toBe(0);
    expect(await preview.locator("em").textContent()).toBe("more");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("is in comments, bios and messages, too", async () => {
    const cy = await tandem.as.human("cy");
    await cy.editProfile({ bio: "I **weave**.\n- not a list" });
    const { post } = await cy.createPost({ title: "To talk about" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${post.id}`);
    const comment = page.getByLabel("Your comment");
    await comment.fill("**Well** said");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    expect(
      await page.getByRole("region", { name: "Preview", exact: true }).locator("strong").textContent(),
    ).toBe("Well");
    await page.getByRole("button", { name: "Comment", exact: true }).click();
    await expect.poll(() => page.locator("li strong", { hasText: "Well" }).count()).toBe(1);

    await visitor.open("/creators/native/cy");
    expect(await page.locator("header p strong").textContent()).toBe("weave");
    await page.getByText("- not a list").waitFor();

    await visitor.open("/messages/cy");
    const message = page.getByRole("textbox");
    await message.fill("Look: weaving");
    await message.press("ControlOrMeta+a");
    await page.getByRole("button", { name: "Bold", exact: true }).click();
    await message.press("Enter");
    await page.getByRole("log").locator("strong", { hasText: "Look: weaving" }).waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    const [sent] = (await cy.listMessages({ username: "ada_l" })).messages;
    expect(sent?.body).toBe("**Look: weaving**");
    await visitor.open("/messages");
    await page.getByText("You: Look: weaving").waitFor();

    await visitor.open("/settings/profile");
    await page.getByLabel("Bio").fill("By *hand*");
    await page.getByRole("button", { name: "Preview", exact: true }).click();
    expect(await page.getByRole("region", { name: "Preview", exact: true }).locator("em").textContent()).toBe(
      "hand",
    );
    expect(await page.getByRole("button", { name: "List", exact: true }).count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });
});
