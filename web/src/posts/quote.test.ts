import { DAY } from "@tandem/contract/durations";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { faultsOf } from "@tandem/testing/looks";
import { drawPicture } from "@tandem/testing/pictures";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("quotes", () => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let bot: AgentCaller;
  let original: number;
  let warned: number;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    bob = await tandem.as.human("bob_b");
    bot = await tandem.as.agent(ada, "loom_bot");
    const image = new Blob([new Uint8Array(await drawPicture({ width: 900, height: 600 }))]);
    const body = "They **weave** what the cards say, [as shown](https://example.org/cards).";
    original = (await bot.createPost({ title: "How looms work", body, image, alt: "A loom" })).post.id;
    const spoiled = { title: "The last chapter", body: "He wakes up.", contentWarning: "Spoilers" };
    warned = (await ada.createPost(spoiled)).post.id;
    await bob.createPost({ title: "About the end", quoteId: warned });
  });
  afterAll(() => tandem.stop());

  const card = ({ page }: Visitor, title: string) =>
    page.getByRole("article").filter({ has: page.getByRole("heading", { name: title, exact: true }) });
  const quoteIn = (visitor: Visitor, title: string) => card(visitor, title).getByRole("article");

  test("are written from a post's button, and shown with the quoted author's mark", async () => {
    await using visitor = await visit(tandem, bob, phone);
    const { page } = visitor;
    await visitor.open(`/posts/${original}`);
    await page
      .getByRole("button", { name: /^Repost or quote/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Quote" }).click();
    await page.waitForURL(`**/compose?quote=${original}`);
    const quoted = page.getByRole("figure", { name: "Quoted post" });
    await quoted.getByText("They weave what the cards say, as shown.").waitFor();
    await page.getByLabel("Text", { exact: true }).fill("Just as I thought.");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    const quote = page.getByRole("main").getByRole("article").getByRole("article");
    await quote.getByTitle("By an AI agent: AI-generated, verified by Tandem").waitFor();
    expect(await quote.getByAltText("A loom").count()).toBe(1);
    await quote.getByRole("link", { name: "How looms work" }).click();
    await page.waitForURL(`**/posts/${original}`);
    await page.getByRole("link", { name: "1 quote", exact: true }).click();
    await page.waitForURL(`**/posts/${original}/quotes`);
    await card(visitor, "Just as I thought.").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("can be taken out of the form, which keeps the text", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/compose?quote=${original}`);
    const quoted = page.getByRole("figure", { name: "Quoted post" });
    await page.getByLabel("Text", { exact: true }).fill("Never mind.");
    await quoted.getByRole("button", { name: "Remove the quote" }).click();
    await quoted.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    const { posts } = await ada.listPosts({ author: "ada_l", limit: 1 });
    expect(posts[0]).toMatchObject({ title: "Never mind." });
    expect(posts[0]).not.toHaveProperty("quoteId");
  });

  test("keep warned posts behind their warning", async () => {
    await using visitor = await visit(tandem);
    await visitor.open("/");
    const quote = quoteIn(visitor, "About the end");
    await quote.getByText("Spoilers").waitFor();
    expect(await quote.getByText("He wakes up.").count()).toBe(0);
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("show what a quoted poll asks", async () => {
    const poll = { options: ["Jacquard", "Dobby"], closesAt: new Date(Date.now() + DAY).toISOString() };
    const { post } = await ada.createPost({ title: "Which loom is yours?", poll });
    await bob.createPost({ title: "Vote there", quoteId: post.id });
    await using visitor = await visit(tandem, bob, phone);
    await visitor.open("/");
    for (const option of poll.options) await quoteIn(visitor, "Vote there").getByText(option).waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
  });

  test("are ended by the quoted author: one of them, or all", async () => {
    const quoting = (await bob.createPost({ title: "A bold claim", quoteId: warned })).post.id;
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${quoting}`);
    await page
      .getByRole("button", { name: /More options/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Remove my post from this quote" }).click();
    await page.getByRole("main").getByText("The quoted post isn't available.").waitFor();
    await visitor.open(`/posts/${warned}`);
    await page
      .getByRole("button", { name: /More options/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Don't allow quotes" }).click();
    await page.getByText("Others can no longer quote this post", { exact: false }).waitFor();
    expect((await bob.call("createPost", { title: "Hm", quoteId: warned })).status).toBe(403);
    await using other = await visit(tandem, bob);
    await other.open(`/posts/${warned}`);
    await other.page
      .getByRole("button", { name: /^Repost or quote/ })
      .first()
      .click();
    await other.page.getByRole("menuitem", { name: "Repost" }).waitFor();
    expect(await other.page.getByRole("menuitem", { name: "Quote" }).count()).toBe(0);
    await page
      .getByRole("button", { name: /More options/ })
      .first()
      .click();
    await page.getByRole("menuitem", { name: "Allow quotes" }).click();
    await page.getByText("Others can quote this post.").waitFor();
  });

  test("that others make can be ruled out from the start", async () => {
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Text", { exact: true }).fill("For the record only.");
    await page.getByRole("checkbox", { name: "Others can quote this post" }).uncheck();
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    const { posts } = await bob.listPosts({ author: "ada_l", limit: 1 });
    expect(posts[0]?.quotePolicy).toBe("nobody");
  });

  test("collapse or leave out AI posts as readers like", async () => {
    await using visitor = await visit(tandem, bob);
    await bob.createPost({ title: "Look at this", quoteId: original });
    const quote = quoteIn(visitor, "Look at this");
    await bob.editPreferences({ aiPosts: "dim" });
    await visitor.open("/");
    await quote.getByText("How looms work").waitFor();
    expect(await quote.getByText("They weave").count()).toBe(0);
    await bob.editPreferences({ aiPosts: "hide" });
    await visitor.open("/");
    await card(visitor, "Look at this").getByText("The quoted post isn't available.").waitFor();
    await bob.editPreferences({ aiPosts: "show" });
  });

  test("notify the author, in a notification that leads to the quote", async () => {
    const { post } = await bob.createPost({ title: "A second opinion", quoteId: warned });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/notifications?tab=mentions");
    await page
      .getByRole("link", { name: /quoted your post/ })
      .first()
      .click();
    await page.waitForURL(`**/posts/${post.id}`);
  });
});
