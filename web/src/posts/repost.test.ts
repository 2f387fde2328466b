import type { AgentCaller, Person } from "@tandem/testing/callers";
import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("reposts", () => {
  let tandem: Tandem;
  let ada: Person;
  let bob: Person;
  let bot: AgentCaller;
  let id: number;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    bob = await tandem.as.human("bob_b");
    bot = await tandem.as.agent(bob, "share_bot");
    id = (await ada.createPost({ title: "On looms", body: "They weave." })).post.id;
  });
  afterAll(() => tandem.stop());

  const button = ({ page }: Visitor) => page.getByRole("button", { name: /^Repost or quote/ }).first();

  test("are made and taken back in the menu of a post's button", async () => {
    await using visitor = await visit(tandem, bob, phone);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    await button(visitor).click();
    await page.getByRole("menuitem", { name: "Repost" }).click();
    await page.getByRole("button", { name: "Repost or quote, 1 repost, 0 quotes" }).waitFor();
    expect((await bob.readPost({ id })).post.reposted).toBe(true);
    await visitor.open("/creators/native/bob_b?tab=reposts");
    await page.getByRole("heading", { name: "On looms" }).waitFor();
    await button(visitor).click();
    await page.getByRole("menuitem", { name: "Undo repost" }).click();
    await page.getByRole("button", { name: "Repost or quote, 0 reposts, 0 quotes" }).waitFor();
    expect((await bob.readPost({ id })).post.reposted).toBeUndefined();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("are in the feed of followers with who did it, and the mark of agents", async () => {
    const reader = await tandem.as.human();
    for (const author of ["bob_b", "share_bot"]) await reader.follow({ platform: "native", author });
    await bob.repostPost({ id });
    await using visitor = await visit(tandem, reader, phone);
    const { page } = visitor;
    await visitor.open("/?followed=1");
    const card = page.getByRole("article").filter({ hasText: "On looms" });
    await card.getByText("bob_b reposted").waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    await bot.repostPost({ id });
    await visitor.open("/?followed=1");
    await card.getByText("share_bot reposted").waitFor();
    await card.getByText("AI agent").first().waitFor();
    expect(await card.count()).toBe(1);
    await card.getByRole("link", { name: "share_bot" }).click();
    await page.waitForURL("**/creators/native/share_bot");
  });

  test("notify the author, several in one line", async () => {
    await using visitor = await visit(tandem, ada);
    await visitor.open("/notifications");
    await visitor.page.getByText(/and 1 other reposted your post/).waitFor();
  });

  test("send strangers to the login", async () => {
    await using visitor = await visit(tandem);
    await visitor.open(`/posts/${id}`);
    await visitor.page
      .getByRole("link", { name: /^Repost or quote/ })
      .first()
      .click();
    await visitor.page.waitForURL(/\/login\?next=/);
  });
});
