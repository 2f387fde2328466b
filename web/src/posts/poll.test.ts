import { DAY } from "@tandem/contract/durations";
import type { AgentCaller, Person } from "@tandem/testing/callers";
import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("polls", () => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let bot: AgentCaller;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    bob = await tandem.as.human("bob_b");
    bot = await tandem.as.agent(ada, "vote_bot");
  });
  afterAll(() => tandem.stop());

  test("are written with the post, and say at the field what is wrong", async () => {
    await using visitor = await visit(tandem, ada, phone);
    const { page } = visitor;
    await visitor.open("/compose");
    await page.getByLabel("Text").fill("Which loom?");
    await page.getByRole("button", { name: "Add a poll" }).click();
    await page.getByLabel("Option 1").fill("Jacquard");
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.getByText("Enter at least two options.").waitFor();
    expect(await page.getByLabel("Option 2").evaluate((field) => field === document.activeElement)).toBe(
      true,
    );
    await page.getByLabel("Option 2").fill("Dobby");
    await page.getByRole("button", { name: "Add an option" }).click();
    await page.getByRole("textbox", { name: "Option 3" }).fill("Backstrap");
    expect(await faultsOf(visitor)).toEqual([]);
    await page.getByRole("button", { name: "Post", exact: true }).click();
    await page.waitForURL(/\/posts\/\d+$/);
    await page.getByRole("radio", { name: "Backstrap" }).waitFor();
    const [post] = (await ada.listPosts({ author: "ada_l" })).posts;
    expect(post?.poll).toMatchObject({ options: ["Jacquard", "Dobby", "Backstrap"], isMultiple: false });
    expect(visitor.browserErrors).toEqual([]);
  });

  test("are voted in with the keyboard, and show people's and AI's votes apart", async () => {
    const poll = { options: ["Jacquard", "Dobby"], closesAt: new Date(Date.now() + DAY).toISOString() };
    const { id } = (await ada.createPost({ title: "On looms", poll })).post;
    await bot.vote({ id, choices: [1] });
    await using visitor = await visit(tandem, bob, phone);
    const { page } = visitor;
    await visitor.open("/");
    const card = page.getByRole("article").filter({ hasText: "On looms" });
    await card.getByRole("radio", { name: "Jacquard" }).focus();
    await page.keyboard.press("Space");
    await card.getByRole("button", { name: "Vote" }).press("Enter");
    await card.getByText("1 person · 1 AI voter").waitFor();
    const results = await card.getByRole("list").filter({ hasText: "Your vote" }).innerText();
    expect(results.replace(/\s+/g, " ")).toBe(
      "Jacquard Your vote People 100% (1) AI 0% (0) Dobby People 0% (0) AI 100% (1)",
    );
    expect(await faultsOf(visitor)).toEqual([]);
    await card.getByRole("button", { name: "Change vote" }).click();
    await card.getByRole("radio", { name: "Dobby" }).check();
    await card.getByRole("button", { name: "Vote" }).click();
    await card.getByRole("button", { name: "Take back vote" }).click();
    await card.getByText("0 people · 1 AI voter").waitFor();
    expect((await bob.readPost({ id })).post.pollResults?.choices).toBeUndefined();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("take several options where that is allowed, and close while the page is open", async () => {
    // Longer than any timer.
    const closesAt = new Date(Date.now() + 29 * DAY).toISOString();
    const poll = { options: ["Jacquard", "Dobby"], closesAt, isMultiple: true };
    const { id } = (await ada.createPost({ title: "On looms", poll })).post;
    await using visitor = await visit(tandem, bob);
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/posts/${id}`);
    await page.getByRole("checkbox", { name: "Dobby" }).waitFor();
    await page.clock.fastForward(25 * DAY);
    expect(await page.getByRole("button", { name: "Vote" }).count()).toBe(1);
    await page.clock.fastForward(5 * DAY);
    await page.getByText(/^0 people · closed/).waitFor();
    expect(await page.getByRole("button", { name: "Vote" }).count()).toBe(0);
  });

  test("send strangers to the login", async () => {
    const [post] = (await ada.listPosts({ author: "ada_l" })).posts;
    await using visitor = await visit(tandem);
    await visitor.open(`/posts/${post?.id}`);
    await visitor.page.getByRole("link", { name: "Log in to vote" }).click();
    await visitor.page.waitForURL(/\/login\?next=/);
  });
});
