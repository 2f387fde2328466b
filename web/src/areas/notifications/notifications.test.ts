import { DAY } from "@tandem/contract/durations";
import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { makeAdmin } from "@tandem/testing/admins";
import { insertPosts } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, type Visitor, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Locale, locales } from "../../shared/locales.ts";
import { groupNotifications } from "./groups.ts";

describe("notifications", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  /** Opens the page in a language that the reader chose. Another browser for each would take longer. */
  async function openIn(locale: Locale, visitor: Visitor): Promise<void> {
    const cookie = { name: "tandem_locale", value: locale, url: tandem.baseUrl };
    await visitor.page.context().addCookies([cookie]);
    await visitor.open("/notifications");
    expect(await visitor.page.locator("html").getAttribute("lang")).toBe(locale);
  }

  test("arrive live in every tab over one stream", async () => {
    const [ada, mary] = [await tandem.as.human("ada"), await tandem.as.human("mary")];
    await mary.editProfile({ displayName: "Mary Somerville" });
    const { post } = await ada.createPost({ title: "On engines" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const streams: string[] = [];
    page.context().on("request", (request) => {
      if (request.url().endsWith("/notifications/stream")) streams.push(request.url());
    });
    await visitor.open("/notifications");
    await page.getByText("You're all caught up").waitFor();
    const second = await page.context().newPage();
    await second.goto(tandem.baseUrl);
    await second.locator("html[data-alive]").waitFor();
    await expect.poll(() => streams.length).toBe(1);
    const waiting = async () => (await navigator.locks.query()).pending?.length;
    await expect.poll(() => second.evaluate(waiting)).toBe(1);

    await mary.likePost({ id: post.id });
    await page.getByRole("link", { name: "Mary Somerville @mary liked your post" }).waitFor();
    await page.getByText("On engines").waitFor();
    const badge = { name: /Notifications/ };
    await expect.poll(() => page.getByRole("link", badge).textContent()).toContain("1 unread");
    await expect.poll(() => page.title()).toMatch(/^\(1\) .*Tandem$/);
    await expect.poll(() => second.getByRole("link", badge).textContent()).toContain("1 unread");
    expect(streams).toHaveLength(1);

    // The tab that listened is closed: another takes over.
    await page.close();
    await expect.poll(() => streams.length).toBe(2);
    await mary.createComment({ id: post.id, body: "Well said." });
    await expect.poll(() => second.getByRole("link", badge).textContent()).toContain("2 unread");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("link to what happened, and are all marked as read by one button", async () => {
    const [grace, agent] = [await tandem.as.human("grace"), await tandem.as.agent()];
    const { post } = await grace.createPost({ title: "A moth in a relay" });
    await agent.likePost({ id: post.id });
    const { comment } = await agent.createComment({ id: post.id, body: "Was it there all along?" });
    const tom = await tandem.as.human("tom");
    await tom.requestFriend({ username: "grace" });
    await tom.likePost({
      id: (await grace.createPost({ title: "A compiler", provenance: "ai_assisted" })).post.id,
    });
    await using visitor = await visit(tandem, grace, phone);
    const { page } = visitor;
    await visitor.open("/notifications");
    await page.getByRole("main").getByText("AI agent").first().waitFor();
    const liked = page.getByRole("listitem").filter({ hasText: "A compiler" });
    await liked.getByTitle("Written by a person with help from AI").waitFor();
    const response = page.getByRole("link", { name: /commented on your post/ });
    expect(await response.getAttribute("href")).toBe(`/posts/${post.id}#comment-${comment.id}`);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await expect.poll(() => page.getByText("(new)").count()).toBe(0);
    expect(await grace.countNotifications()).toEqual({ unread: 0 });
    await expect
      .poll(() => page.getByRole("link", { name: /Notifications/ }).textContent())
      .toBe("Notifications");
    // Each tab lists some types, and what asks for a decision is decided there.
    const key = await tandem.as.key(["posts:write"], grace);
    await grace.editKey({ id: key.keyId, approval: true });
    await key.call("createPost", { title: "By a key" });
    await page.getByRole("link", { name: "Mentions" }).click();
    await page.getByText("No mentions yet").waitFor();
    await page.getByRole("link", { name: "Approvals" }).click();
    await page.waitForURL("**/notifications?tab=approvals");
    const items = page.getByRole("main").getByRole("listitem");
    await expect.poll(() => items.count()).toBe(2);
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("button", { name: "Accept friend request from @tom" }).click();
    await page
      .getByRole("button", { name: "Accept friend request from @tom" })
      .waitFor({ state: "detached" });
    expect((await grace.listFriends()).friends).toMatchObject([{ username: "tom" }]);
    const accepted = page.getByRole("link", { name: "@tom and you are friends" });
    expect(await accepted.getAttribute("href")).toMatch(/\/tom$/);
    await page.getByRole("button", { name: "Approve “By a key”" }).click();
    await page.getByRole("button", { name: "Approve" }).waitFor({ state: "detached" });
    expect((await grace.listPosts({ author: "grace", limit: 1 })).posts).toMatchObject([
      { title: "By a key", provenance: "ai_generated" },
    ]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("say that a draft was decided elsewhere", async () => {
    const ada = await tandem.as.human();
    const key = await tandem.as.key(["posts:write"], ada);
    await ada.editKey({ id: key.keyId, approval: true });
    for (const title of ["First", "Second", "Third"]) await key.call("createPost", { title });
    const { drafts } = await ada.listDrafts({ state: "pending" });
    const [third, second] = drafts;
    if (!third || !second) throw new Error("no drafts wait");
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    // The page lists them again when it opens, and would then say what was decided.
    const listed = page.waitForResponse(/\/api\/notifications(\?|$)/);
    await visitor.open("/notifications");
    await listed;
    const ofDraft = (title: string) => page.getByRole("listitem").filter({ hasText: title });
    await ada.approveDraft({ id: second.id });
    await ofDraft("Second").getByRole("button", { name: "Approve" }).click();
    await page.getByText("This was already decided.").waitFor();
    const titleOf = (decision: string) =>
      page.getByRole("link", { name: `You ${decision}: New post by @${ada.user.username}` });
    await titleOf("approved").waitFor();
    for (const width of [1440, 834, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const title = page.getByRole("listitem").filter({ hasText: "You approved" }).getByText("Second");
      expect((await title.boundingBox())?.width, `at ${width}`).toBeGreaterThan(40);
    }
    await page.getByRole("button", { name: "Approve “Second”" }).waitFor({ state: "detached" });
    await ofDraft("Third").getByRole("button", { name: "Reject" }).click();
    await ada.deleteDraft({ id: third.id });
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await titleOf("rejected").waitFor();
    expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(1);
    expect((await ada.listPosts({ author: ada.user.username })).posts).toMatchObject([{ title: "Second" }]);
  });

  test("take one line each with their buttons, and two on phones, however long the names are", async () => {
    const reader = await tandem.as.human();
    const writer = await tandem.as.human("w".repeat(limits.username.max));
    const agents = [await tandem.as.agent(reader), await tandem.as.agent(reader)];
    for (const person of [writer, ...agents])
      await person.editProfile({ displayName: "Wanda ".repeat(8).trim() });
    const { post } = await reader.createPost({ title: "A long story ".repeat(9) });
    await writer.likePost({ id: post.id });
    await writer.createComment({ id: post.id, body: "It is longer than a line. ".repeat(9) });
    const { post: other } = await reader.createPost({ title: "Another story" });
    for (const agent of agents) {
      await agent.likePost({ id: other.id });
      await agent.createComment({ id: other.id, body: "It is longer than a line. ".repeat(9) });
    }
    const key = await tandem.as.key(["posts:write"], reader);
    await reader.editKey({ id: key.keyId, approval: true });
    await key.call("createPost", { title: "By a key" });
    for (const { id } of (await reader.listDrafts({ state: "pending" })).drafts)
      await reader.deleteDraft({ id });
    await writer.requestFriend({ username: reader.user.username });
    await using visitor = await visit(tandem, reader);
    for (const locale of ["en", "de", "ja"] as const) {
      await openIn(locale, visitor);
      const rows = visitor.page.getByRole("main").getByRole("listitem");
      const heights = () =>
        rows.evaluateAll((items) => items.map((item) => Math.round(item.getBoundingClientRect().height)));
      for (const width of [1440, 834]) {
        await visitor.page.setViewportSize({ width, height: 900 });
        for (const height of await heights())
          expect([locale, width, height < 60]).toEqual([locale, width, true]);
      }
      await visitor.page.setViewportSize(phone.viewport);
      const [request, ...others] = await heights();
      expect(others.length).toBeGreaterThan(4);
      for (const height of others) expect(height, locale).toBeLessThan(80);
      // With its buttons below.
      expect(request, locale).toBeLessThan(125);
      const hidden = await rows.evaluateAll((items) =>
        items.flatMap((item) => {
          const { bottom } = item.getBoundingClientRect();
          const end = item.querySelector("a")?.getBoundingClientRect().bottom ?? 0;
          // Both names of the latest actor are there.
          const names = [...item.querySelectorAll("a b, a b ~ span")];
          const isShown = names.every((name) => name.getBoundingClientRect().width > 20);
          return end <= bottom && isShown ? [] : [item.textContent];
        }),
      );
      expect(hidden, locale).toEqual([]);
    }
    // The age of older ones is longer: "vor 10 Monaten".
    const created_at = Date.now() - 300 * DAY;
    await tandem.storage.write((tx) =>
      tx.updateTable("notifications").set({ created_at }).where("user_id", "=", reader.user.id).execute(),
    );
    for (const locale of Object.keys(locales) as Locale[]) {
      await openIn(locale, visitor);
      const below = await visitor.page
        .getByRole("main")
        .locator("li p:has(time)")
        .evaluateAll((lines) =>
          lines.flatMap((line) => {
            const age = line.querySelector("time")?.getBoundingClientRect();
            const words = document.createRange();
            const text = document.createTreeWalker(line.querySelector("a") ?? line, NodeFilter.SHOW_TEXT);
            words.selectNodeContents(text.nextNode() ?? line);
            const [first] = words.getClientRects();
            return first && age && first.top < age.bottom - 6 ? [] : [line.textContent];
          }),
        );
      expect([locale, below]).toEqual([locale, []]);
    }
  });

  test("say on phones whose request it is, also of agents with similar names", async () => {
    const reader = await tandem.as.human();
    const names = ["Keyboards Canyon", "Keyboards at Harbor"];
    for (const displayName of names) {
      const agent = await tandem.as.agent(reader, displayName.toLowerCase().replaceAll(" ", "-"));
      await agent.editProfile({ displayName });
      await reader.editKey({ id: agent.keyId, approval: true });
      await agent.call("createPost", { title: `By ${displayName}` });
    }
    await using visitor = await visit(tandem, reader, phone);
    for (const locale of Object.keys(locales) as Locale[]) {
      await openIn(locale, visitor);
      const shown = visitor.page.getByRole("main").locator("li p a b, li p a .font-bold");
      await expect.poll(() => shown.count()).toBe(names.length);
      const cut = await shown.evaluateAll((all) =>
        all.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      );
      expect([locale, cut]).toEqual([locale, []]);
    }
  });

  test("are marked as read by opening them, and no others are", async () => {
    const [ada, bob, carol] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const { post } = await ada.createPost({ title: "On engines" });
    await bob.createComment({ id: post.id, body: "Well said." });
    for (const person of [bob, carol]) await person.likePost({ id: post.id });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/notifications");
    const bell = page.getByRole("link", { name: /Notifications/ });
    await expect.poll(() => bell.textContent()).toContain("3 unread");
    await page.getByRole("link", { name: "and 1 other liked your post" }).click();
    await page.waitForURL(`**/posts/${post.id}`);
    // Both likes, which are one line.
    await expect.poll(() => bell.textContent()).toContain("1 unread");
    await page.goBack();
    const items = page.getByRole("main").getByRole("listitem");
    await expect.poll(() => items.filter({ hasText: "(new)" }).count()).toBe(1);
    expect(await items.filter({ hasText: "liked" }).getByText("(new)").count()).toBe(0);
    await page.getByRole("link", { name: /commented on your post/ }).click({ button: "middle" });
    await expect.poll(() => page.getByText("(new)").count()).toBe(0);
    await expect.poll(() => ada.countNotifications()).toEqual({ unread: 0 });
    expect(visitor.browserErrors).toEqual([]);
  });

  test("say what moderators decided, and what a comment that waits for approval is about", async () => {
    const [ada, admin] = [await tandem.as.human(), await tandem.as.human()];
    await makeAdmin(tandem.storage, admin);
    const { post } = await ada.createPost({ title: "Buy my engines", provenance: "ai_generated" });
    const { decision } = await admin.removePost({ id: post.id, reason: "Advertising" });
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open("/notifications");
    await page.getByRole("link", { name: "Moderators removed your post AI Buy my engines" }).waitFor();
    await ada.createAppeal({ decisionId: decision.id, text: "They were a gift." });
    await admin.answerAppeal({ id: decision.id, accept: true, answer: "So they were." });
    await visitor.open("/notifications");
    await page.getByRole("link", { name: "Moderators accepted your appeal" }).waitFor();

    const key = await tandem.as.key(["comments:write"], ada);
    await ada.editKey({ id: key.keyId, approval: true });
    await key.call("createComment", { id: post.id, body: "Well said." });
    const request = page.getByRole("listitem").filter({ hasText: "Well said." });
    await request.getByText("New comment").waitFor();
    // The post's mark says nothing about the comment that waits.
    await request.getByText("AI-generated", { exact: true }).waitFor();
    expect(await request.getByRole("link", { name: "Buy my engines" }).getAttribute("href")).toBe(
      `/posts/${post.id}`,
    );
    await request.getByRole("button", { name: "Approve" }).click();
    const titleOf = (decision: string) =>
      page.getByRole("link", { name: `You ${decision}: New comment by @${ada.user.username}` });
    await titleOf("approved").waitFor();
    expect(await ada.countNotifications()).toMatchObject({ unread: 2 });
    await key.call("createComment", { id: post.id, body: "Or not." });
    await page.reload();
    const [comment] = (await ada.listComments({ id: post.id })).comments;
    expect(await titleOf("approved").getAttribute("href")).toBe(`/posts/${post.id}#comment-${comment?.id}`);
    const approved = page.getByRole("listitem").filter({ has: titleOf("approved") });
    // Who asked, and what was published.
    expect(await approved.getByText("AI", { exact: true }).count()).toBe(2);
    await page
      .getByRole("listitem")
      .filter({ hasText: "Or not." })
      .getByRole("button", { name: "Reject" })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Reject" }).click();
    await titleOf("rejected").waitFor();
    // The post that it was about.
    expect(await titleOf("rejected").getAttribute("href")).toBe(`/posts/${post.id}`);
    const rejected = page.getByRole("listitem").filter({ has: titleOf("rejected") });
    await rejected.getByText("Buy my engines").waitFor();

    const [untitled = 0] = await tandem.storage.write((tx) =>
      insertPosts(tx, [{ title: null, body: "Looms weave algebraic patterns.", platform: "mastodon" }]),
    );
    await key.call("createComment", { id: untitled, body: "As Jacquard's do." });
    const ofUntitled = page.getByRole("listitem").filter({ hasText: "As Jacquard's do." });
    await ofUntitled.getByRole("link", { name: "Looms weave algebraic patterns." }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("go on below the first page, and are all counted", async () => {
    const [ada, mary, joan] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const { post } = await ada.createPost({ title: "Much discussed" });
    const count = limits.notifications + 1;
    await joan.createComment({ id: post.id, body: "The first, and so on the second page" });
    for (let i = 1; i < count; i++) await mary.createComment({ id: post.id, body: `Again ${i}` });
    await using visitor = await visit(tandem, ada);
    await visitor.open("/notifications");
    const status = visitor.page.getByRole("main").getByRole("status").first();
    await expect.poll(() => status.textContent()).toBe(`${count} unread`);
    await visitor.page.getByText(`Again ${count - 1}`).waitFor();
    await visitor.page.getByText(`${mary.user.username} and 1 other commented on your post`).waitFor();
  });

  test("about the same thing are grouped", () => {
    const notification = (id: number, name: string, more: Partial<Notification> = {}): Notification => ({
      id,
      type: "post_like",
      actor: { username: name, displayName: null, avatarUrl: null, isAgent: false },
      byAi: false,
      postId: 1,
      commentId: null,
      excerpt: null,
      excerptProvenance: null,
      excerptProvenanceBasis: null,
      community: null,
      decisionId: null,
      draftId: null,
      approval: null,
      keyHint: null,
      read: true,
      createdAt: "2026-01-01T00:00:00.000Z",
      ...more,
    });
    const before = { createdAt: "2025-12-31T00:00:00.000Z" };
    const groups = groupNotifications([
      notification(9, "a"),
      notification(8, "b"),
      notification(7, "c", { postId: 2 }),
      notification(6, "a"),
      notification(5, "c", { type: "mention" }),
      notification(4, "d", { type: "mention" }),
      notification(3, "e", { type: "comment", commentId: 1 }),
      notification(2, "f", { type: "comment", commentId: 2 }),
      notification(1, "g", before),
    ]);
    // A like joins the line further up that it belongs to, but not the one of another day.
    expect(groups.map(({ id, actors }) => [id, actors.map(({ username }) => username).join()])).toEqual([
      [6, "a,b"],
      [7, "c"],
      [5, "c"],
      [4, "d"],
      [2, "e,f"],
      [1, "g"],
    ]);
  });
});
