import { readFile } from "node:fs/promises";
import { HOUR, MINUTE } from "@tandem/contract/durations";
import type { Person } from "@tandem/testing/callers";
import { rssFeed, startImports } from "@tandem/testing/import-setup";
import { insertImportedPost, insertPosts } from "@tandem/testing/imported-posts";
import { faultsOf } from "@tandem/testing/looks";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import type { Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("a post's page", () => {
  let tandem: Tandem;
  let ada: Person;
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada");
  });
  afterAll(() => tandem.stop());

  const newPost = async (title = "On looms", body = "They weave.") =>
    (await ada.createPost({ title, body })).post.id;
  const commentsOf = async (id: number) => (await ada.listComments({ id })).comments;
  const say = async (id: number, body: string, parentId: number | null = null) =>
    (await ada.createComment({ id, body, parentId })).comment.id;

  test("has structured data and link previews", async () => {
    const agent = await tandem.as.agent(ada, "loom_bot");
    const { post } = await agent.createPost({
      title: "Looms & <script>",
      body: "By hand: @ada, #weave https://example.org/x.",
    });
    await say(post.id, "Well said.");
    const html = await (
      await fetch(`${tandem.baseUrl}/posts/${post.id}`, { headers: { accept: "text/html" } })
    ).text();
    expect(html).toContain('<meta property="og:type" content="article">');
    expect(html).toContain(`<link rel="canonical" href="${tandem.baseUrl}/posts/${post.id}">`);
    expect(html).not.toContain("noindex");
    const [, json = ""] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      "@type": "DiscussionForumPosting",
      headline: "Looms & <script>",
      author: { name: "loom_bot", url: `${tandem.baseUrl}/creators/native/loom_bot` },
      digitalSourceType: "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia",
      commentCount: 1,
      comment: [{ text: "Well said.", author: { name: "ada" } }],
    });
    expect(html).toContain('href="/creators/native/ada"');
    expect(html).toContain('href="/search?q=%23weave"');
    expect(html).toMatch(/<a href="https:\/\/example.org\/x" rel="ugc nofollow noopener noreferrer"/);
  });

  test("shows what the server rendered until it has hydrated, even if newer data is there", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    // A clock that is ahead makes everything count as old.
    await page.clock.setFixedTime(Date.now() + HOUR);
    await page.route(`${tandem.baseUrl}/posts/${id}`, async (route) => {
      const response = await route.fetch();
      if (route.request().resourceType() === "document") await say(id, "Just now.");
      await route.fulfill({ response });
    });
    await visitor.open(`/posts/${id}`);
    await page.getByText("Just now.").waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("comments, replies, edits and deletes by keyboard alone", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    await page.getByLabel("Your comment").fill("First!");
    await page.keyboard.press("Control+Enter");
    const first = page.locator("li", { hasText: "First!" });
    await first.waitFor();
    // Until it is sent, the focus may still move.
    await expect.poll(() => page.getByLabel("Your comment").inputValue()).toBe("");
    await first.getByRole("button", { name: "Reply" }).press("Enter");
    // On a busy machine the field appears, with the focus, some time after the key.
    await page.getByLabel("Your reply to @ada").and(page.locator(":focus")).waitFor();
    await page.keyboard.type("And second.");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const second = first.locator("li", { hasText: "And second." });
    await second.waitFor();
    await second.getByRole("button", { name: "likes" }).press("Enter");
    await second.locator('[aria-pressed="true"]').waitFor();
    await second.getByRole("button", { name: "More options" }).press("Enter");
    await page.getByRole("menuitem", { name: "Edit" }).press("Enter");
    await page.getByLabel("Edit your comment").fill("And third.");
    await page.keyboard.press("Control+Enter");
    await first.locator("li", { hasText: "And third." }).waitFor();
    await expect
      .poll(async () => (await commentsOf(id)).map(({ body, liked }) => [body, liked]))
      .toEqual([
        ["First!", false],
        ["And third.", true],
      ]);
    await first.getByRole("button", { name: "More options" }).first().press("Enter");
    await page.getByRole("menuitem", { name: "Delete" }).press("Enter");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).press("Enter");
    await page.getByText("This comment was deleted.").waitFor();
    expect((await commentsOf(id)).map(({ deleted }) => deleted)).toEqual([true, false]);
    await page.getByRole("heading", { name: "1 comment" }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("closes a reply with Escape only if it is empty, and focuses its comment", async () => {
    const id = await newPost();
    const comment = await say(id, "Well?");
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const response = page.getByLabel("Your reply to @ada");
    await page.getByRole("button", { name: "Reply" }).press("Enter");
    await response.fill("Half");
    await page.keyboard.press("Escape");
    await response.fill("");
    await page.getByRole("button", { name: "Cancel" }).press("Escape");
    await response.waitFor({ state: "detached" });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe(`comment-${comment}`);
  });

  test("collapses a comment with its replies, by click and by keyboard", async () => {
    const id = await newPost();
    let last = await say(id, "Level 1");
    for (let level = 2; level <= 9; level++) last = await say(id, `Level ${level}`, last);
    await using visitor = await visit(tandem, undefined, phone);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const deepest = page.getByText("Level 9", { exact: true });
    const { width = 0 } = (await deepest.boundingBox()) ?? {};
    expect(width).toBeGreaterThan(200);
    const { scrollWidth, clientWidth } = await page.evaluate(() => ({
      scrollWidth: document.documentElement.scrollWidth,
      clientWidth: document.documentElement.clientWidth,
    }));
    expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
    const [fold] = await page.getByRole("button", { name: "Collapse" }).all();
    await fold?.click();
    expect(await deepest.isVisible()).toBe(false);
    await page.getByText("8 replies").waitFor();
    await page.getByRole("button", { name: "Expand @ada with 8 replies" }).press("Enter");
    await deepest.waitFor();
    await page
      .locator("ol > li > div > button")
      .first()
      .click({ position: { x: 9, y: 40 } });
    await deepest.waitFor({ state: "detached" });
    await visitor.open(`/posts/${id}`);
    await page.getByRole("button", { name: "Expand @ada with 8 replies" }).press("Enter");
    await deepest.waitFor();
    expect(await page.evaluate(() => JSON.parse(localStorage["tandem.kept.0.collapsed"]))).toEqual({
      ids: [],
    });
  });

  test("orders comments by likes, or by age as the address says", async () => {
    const id = await newPost();
    const bob = await tandem.as.human("orderly");
    const ids = [await say(id, "Alpha"), await say(id, "Beta"), await say(id, "Gamma")];
    await bob.likeComment({ id: ids[1] ?? 0 });
    await say(id, "Delta", ids[1]);
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const order = async () =>
      (await page.locator("[id^=comment-] article").allTextContents()).map(
        (text) => /Alpha|Beta|Gamma|Delta/.exec(text)?.[0],
      );
    expect(await order()).toEqual(["Beta", "Delta", "Alpha", "Gamma"]);
    await page.getByRole("link", { name: "Newest" }).press("Enter");
    await expect.poll(order).toEqual(["Gamma", "Beta", "Delta", "Alpha"]);
    expect(page.url()).toContain("?sort=new#comments");
    await visitor.open(`/posts/${id}?sort=old`);
    expect(await order()).toEqual(["Alpha", "Beta", "Delta", "Gamma"]);
  });

  test("says that there are new comments, and shows them on a click", async () => {
    const id = await newPost();
    await say(id, "First");
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await page.clock.install();
    await visitor.open(`/posts/${id}`);
    await say(id, "Second");
    await say(id, "Third");
    await page.clock.runFor(20_000);
    const button = page.getByRole("button", { name: "Show 2 new comments" });
    await button.waitFor();
    expect(await page.getByText("Second").count()).toBe(0);
    await button.click();
    await page.getByText("Third").waitFor();
    await button.waitFor({ state: "detached" });
    await page.getByRole("heading", { name: "3 comments" }).waitFor();
  });

  test("has one line for a new comment until the reader writes", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada, phone);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const input = page.getByLabel("Your comment");
    const send = page.getByRole("button", { name: "Comment", exact: true });
    const heightOf = async () => (await input.boundingBox())?.height ?? 0;
    const collapsed = await heightOf();
    expect(await send.count()).toBe(0);
    await input.focus();
    await send.waitFor();
    expect(await heightOf()).toBeGreaterThan(collapsed);
    expect(await visitor.axeViolations()).toEqual([]);
    // Its button isn't left below the fold.
    await page.keyboard.press("Escape");
    const { y = 0, height = 0 } = (await input.boundingBox()) ?? {};
    const fold = Math.ceil(y + height + 70);
    await page.setViewportSize({ width: 390, height: fold });
    await input.click();
    const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : fold + 1);
    await expect.poll(async () => bottomOf(await send.boundingBox())).toBeLessThanOrEqual(fold);
    await page.setViewportSize(phone.viewport);
    await page.keyboard.press("Escape");
    await send.waitFor({ state: "detached" });
    await input.fill("Half a thought");
    await page.keyboard.press("Escape");
    await visitor.open(`/posts/${id}`);
    await send.waitFor();
    expect(await input.inputValue()).toBe("Half a thought");
    await input.press("Control+Enter");
    await send.waitFor({ state: "detached" });
    expect(await heightOf()).toBe(collapsed);
  });

  test("scrolls to a linked comment that is pages away, and shows a notice if it no longer exists", async () => {
    const id = await newPost();
    await Promise.all(Array.from({ length: 60 }, (_, i) => say(id, `Word ${i}`)));
    const last = (await commentsOf(id)).at(-1)?.id;
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open(`/posts/${id}#comment-${last}`);
    const wanted = page.locator(`#comment-${last}`);
    await wanted.waitFor();
    await expect.poll(() => wanted.evaluate((place) => place === document.activeElement)).toBe(true);
    const { y = -1 } = (await wanted.boundingBox()) ?? {};
    expect(y).toBeGreaterThan(0);
    expect(y).toBeLessThan(page.viewportSize()?.height ?? 0);
    await page.goto(`${tandem.baseUrl}/posts/${id}#comment-999999`);
    await page.getByText("The linked comment no longer exists").waitFor();
  });

  test("counts one view per member and visit, and none for visitors", async () => {
    const id = await newPost();
    await using anonymous = await visit(tandem);
    await anonymous.open(`/posts/${id}`);
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/posts/${id}`);
    await visitor.page.getByText("1 view").waitFor();
    await visitor.open(`/posts/${id}`);
    await visitor.page.getByText("1 view").waitFor();
    expect((await ada.readPost({ id })).post.viewCount).toBe(1);
  });

  test("shows how many AI comments are hidden, and shows them on request", async () => {
    const reader = await tandem.as.human();
    await reader.editPreferences({ aiComments: "hide" });
    const agent = await tandem.as.agent(ada);
    const id = await newPost();
    await agent.createComment({ id, body: "As a machine, I agree." });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    await page.getByText("1 AI comment is hidden by your settings.").waitFor();
    expect(await page.getByText("As a machine").count()).toBe(0);
    await page.getByRole("button", { name: "Show all" }).click();
    await page.getByText("As a machine, I agree.").waitFor();
  });

  test("keeps a comment that can't be sent, and sends it only once", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const input = page.getByLabel("Your comment");
    const send = page.getByRole("button", { name: "Comment", exact: true });
    const responses = [
      { status: 500, code: "internal", message: "Something went wrong on our side" },
      {
        status: 429,
        code: "rate_limited",
        message: "You're going too fast",
        headers: { "retry-after": "90" },
      },
      { status: 401, code: "unauthorized", message: "You've been logged out" },
    ];
    await input.fill("Not to be lost");
    for (const { status, code, message, headers = {} } of responses) {
      await page.route(/\/comments$/, (route) =>
        route.fulfill({ status, headers, json: { error: message, code } }),
      );
      await send.click();
      await page.getByText(message).waitFor();
      expect(await input.inputValue()).toBe("Not to be lost");
      await page.unroute(/\/comments$/);
    }
    await page.reload();
    await page.locator("html[data-alive]").waitFor();
    await expect.poll(() => input.inputValue()).toBe("Not to be lost");
    // The service accepts it, but the response is lost.
    await page.route(
      /\/comments$/,
      async (route) => {
        await route.fetch();
        await route.abort("connectionreset");
      },
      { times: 1 },
    );
    await send.click();
    await page.locator("li", { hasText: "Not to be lost" }).waitFor();
    expect((await commentsOf(id)).map(({ body }) => body)).toEqual(["Not to be lost"]);
    expect(await input.inputValue()).toBe("");
  });

  test("publishes a comment once even if the page was left before the response and it is sent again", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const input = page.getByLabel("Your comment");
    const send = page.getByRole("button", { name: "Comment", exact: true });
    // Until the page is hydrated, the field is read-only, so that nothing typed is lost.
    const html = await (await page.request.get(page.url(), { headers: { accept: "text/html" } })).text();
    expect(html).toMatch(/<textarea[^>]* readonly=""/i);
    expect(await input.isEditable()).toBe(true);
    let accepted = 0;
    await page.route(/\/comments$/, async (route) => {
      if (route.request().method() !== "POST" || accepted > 0) return route.continue();
      await route.fetch();
      accepted++;
    });
    await input.fill("Said once");
    await send.click();
    await expect.poll(() => accepted).toBe(1);
    await visitor.open(`/posts/${id}`);
    await expect.poll(() => input.inputValue()).toBe("Said once");
    await send.click();
    await expect.poll(() => input.inputValue()).toBe("");
    await page.getByRole("heading", { name: "1 comment" }).waitFor();
    expect(await page.locator("li", { hasText: "Said once" }).count()).toBe(1);
    // The same text again is a second comment.
    await input.fill("Said once");
    await send.click();
    await page.getByRole("heading", { name: "2 comments" }).waitFor();
    expect((await commentsOf(id)).map(({ body }) => body)).toEqual(["Said once", "Said once"]);
    const edit = async () => {
      await page.locator("ol").getByRole("button", { name: "More options" }).first().click();
      await page.getByRole("menuitem", { name: "Edit" }).click();
    };
    const change = page.getByLabel("Edit your comment");
    await edit();
    await change.fill("Said bett");
    const response = page.getByLabel("Your reply to @ada");
    await page.getByRole("button", { name: "Reply", exact: true }).last().click();
    await response.fill("Twice, even");
    // Both drafts are restored and open, without moving the focus.
    await visitor.open(`/posts/${id}`);
    await expect.poll(() => change.inputValue()).toBe("Said bett");
    expect(await response.inputValue()).toBe("Twice, even");
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    const cancel = page.getByRole("button", { name: "Cancel" });
    await cancel.last().click();
    // A cancelled reply and an unchanged edit are not drafts.
    await change.fill("Said once");
    await visitor.open(`/posts/${id}`);
    expect(await cancel.count()).toBe(0);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("keeps sending after leaving the page, without navigating back, and reports failures", async () => {
    const id = await newPost();
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    const heldRoutes: Route[] = [];
    await page.route(/\/comments$/, (route) =>
      route.request().method() === "POST" ? void heldRoutes.push(route) : route.continue(),
    );
    const sendAndLeave = async () => {
      await visitor.open(`/posts/${id}`);
      const input = page.getByLabel("Your comment");
      await input.fill("In passing");
      await input.press("Control+Enter");
      await expect.poll(() => heldRoutes.length).toBe(1);
      expect(await input.isEditable()).toBe(false);
      await page.getByRole("link", { name: "Developers" }).click();
      await page.waitForURL("**/developers");
    };
    await sendAndLeave();
    await heldRoutes.pop()?.fulfill({ status: 500, json: { error: "Oops.", code: "internal" } });
    await page.getByRole("status").getByText("Something went wrong on our side").waitFor();
    await sendAndLeave();
    const visited: string[] = [];
    page.on("framenavigated", (frame) => visited.push(frame.url()));
    await heldRoutes.pop()?.continue();
    await expect.poll(() => page.evaluate(() => JSON.stringify(localStorage))).not.toContain("In passing");
    await page.getByRole("link", { name: "About" }).click();
    await page.waitForURL("**/about");
    expect(visited.filter((url) => url.includes("/posts/"))).toEqual([]);
    expect((await commentsOf(id)).map(({ body }) => body)).toEqual(["In passing"]);
    await visitor.open(`/posts/${id}`);
    expect(await page.getByLabel("Your comment").inputValue()).toBe("");
  });

  test("lists other posts with the same link, and is `noindex` while it has no comments", async () => {
    await using imports = await startImports("sqlite");
    for (const name of ["first", "second"]) {
      const body = rssFeed([{ id: name, title: `By ${name}`, link: "https://example.org/looms" }]);
      await imports.admin.addSource({ url: imports.origin.show(`/${name}.xml`, { body }) });
      await imports.poll();
    }
    const [{ id } = { id: 0 }] = (await imports.tandem.as.anonymous().listPosts()).posts;
    await using visitor = await visit(imports.tandem);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    expect(await page.locator('meta[name="robots"]').getAttribute("content")).toBe("noindex");
    await page.getByRole("heading", { name: "1 other post with this link" }).waitFor();
    await page.getByRole("link", { name: "By second" }).first().click();
    await page.getByRole("heading", { name: "By second", level: 1 }).waitFor();
    expect(visitor.browserErrors).toEqual([]);
  });

  test("shows how an imported post does at its origin, in lists and on its own, in the platform's words", async () => {
    const link = {
      mediaType: "link",
      mediaUrl: "https://example.org/",
      url: "https://example.org/",
    } as const;
    const reddit = "https://www.reddit.com/r/looms/comments/1/";
    const origin = { url: reddit, score: 12_840, commentCount: 1 };
    const mastodon = { url: "https://social.example/@ada/1", score: null, commentCount: 0 };
    const unknown = { url: "https://www.reddit.com/r/looms/comments/2/", score: null, commentCount: null };
    const [id = 0, other = 0, third = 0] = await tandem.storage.write((tx) =>
      insertPosts(tx, [
        { title: "Elsewhere", ...link, origin, score: 12_840 },
        { title: "Afar", platform: "mastodon", origin: mastodon },
        { title: "Unknown", origin: unknown },
      ]),
    );
    await using visitor = await visit(tandem, undefined, phone);
    const { page } = visitor;
    const told = page.getByRole("link", { name: "12.8K points · 1 comment on Reddit" });
    await visitor.open("/?platform=reddit");
    await told.waitFor();
    expect(await page.getByRole("link", { name: / on Reddit/ }).count()).toBe(1);
    expect(await visitor.axeViolations()).toEqual([]);
    await visitor.open(`/posts/${id}`);
    expect(await told.getAttribute("href")).toBe(reddit);
    expect(await told.getAttribute("rel")).toBe("ugc nofollow noopener noreferrer");
    const htmlOf = async (post: number, language: string) => {
      const headers = { accept: "text/html", "accept-language": language };
      return (await fetch(`${tandem.baseUrl}/posts/${post}`, { headers })).text();
    };
    expect(await htmlOf(id, "de")).toContain("12.840 Punkte · 1 Kommentar auf Reddit");
    expect(await htmlOf(other, "en")).toContain("0 replies on Mastodon");
    expect(await htmlOf(third, "en")).toContain("Read on Reddit");
    const [, json = ""] =
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(await htmlOf(id, "en")) ?? [];
    expect(JSON.parse(json)).toMatchObject({ isBasedOn: reddit, sharedContent: { url: link.url } });
    expect(JSON.parse(json).interactionStatistic.slice(3)).toEqual([
      {
        "@type": "InteractionCounter",
        interactionType: "https://schema.org/CommentAction",
        userInteractionCount: 1,
        interactionService: { "@type": "WebSite", url: "https://www.reddit.com" },
      },
    ]);
    expect(visitor.browserErrors).toEqual([]);
  });

  test("reads the comments that an imported post has at its origin, on a click", async () => {
    await using imports = await startImports("sqlite");
    const fixture = new URL("../../../../server/src/origins/threads/fixtures/lemmy.json", import.meta.url);
    const path = "/api/v3/comment/list?post_id=1&limit=50&max_depth=8&sort=Hot&type_=All";
    imports.origin.show(path, { status: 403 });
    const url = `${imports.origin.url}/post/1`;
    const id = await imports.tandem.storage.write((tx) =>
      insertImportedPost(tx, {
        platform: "lemmy",
        title: "Afar",
        origin: { url, score: null, commentCount: null },
      }),
    );
    await using visitor = await visit(imports.tandem, undefined, phone);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    const button = page.getByRole("button", { name: "Read the comments on Lemmy" });
    await button.click();
    expect(await page.getByText("No comments yet").count()).toBe(0);
    await page.getByText("The comments can't be loaded from there right now.").waitFor();
    imports.origin.show(path, { body: await readFile(fixture) });
    imports.clock.now += 2 * MINUTE;
    await button.click();
    await page.getByRole("heading", { name: "Comments on Lemmy" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("origin-comments");
    const comments = page.getByRole("region", { name: "Comments on Lemmy" }).getByRole("listitem");
    expect(await comments.count()).toBe(3);
    const [first, , bot] = await comments.all();
    expect(await first?.textContent()).toContain("mary@other.example");
    expect(await first?.getByRole("link").getAttribute("href")).toBe("https://lemmy.example/comment/12");
    expect(await bot?.textContent()).toContain("AI");
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("is deleted by its author after confirming", async () => {
    const id = await newPost("Not for long");
    await using visitor = await visit(tandem, ada);
    const { page } = visitor;
    await visitor.open(`/posts/${id}`);
    await page.getByRole("button", { name: "More options for this post" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("Post deleted.").waitFor();
    expect((await ada.call("readPost", { id })).status).toBe(404);
  });

  test("is accessible while writing a reply", async () => {
    const id = await newPost("Threads");
    await say(id, "One");
    await using visitor = await visit(tandem, ada);
    await visitor.open(`/posts/${id}`);
    await visitor.page.getByRole("button", { name: "Reply", exact: true }).click();
    await visitor.page.getByLabel(/Your reply/).waitFor();
    expect(await faultsOf(visitor)).toEqual([]);
    expect(visitor.browserErrors).toEqual([]);
  });
});
