import { readFile } from "node:fs/promises";
import { DAY } from "@tandem/contract/durations";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { phone, visit } from "@tandem/testing/visitor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe("creator pages", () => {
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem();
  });
  afterAll(() => tandem.stop());

  const html = (path: string) => fetch(tandem.baseUrl + path, { headers: { accept: "text/html" } });

  test("include structured data and links to feeds", async () => {
    const ada = await tandem.as.human("ada");
    await ada.editProfile({ displayName: "Ada L", bio: "Engines and poetry." });
    await ada.createPost({ title: "On engines" });
    const text = await (await html("/creators/native/ada")).text();
    expect(text).toContain('<meta property="og:type" content="profile">');
    expect(text).toContain('<meta property="og:description" content="Engines and poetry.">');
    const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json)).toMatchObject({
      "@type": "ProfilePage",
      mainEntity: { "@type": "Person", name: "Ada L", alternateName: "ada" },
    });
    const feeds = [...text.matchAll(/<link rel="alternate" type="(application[^"]+)"[^>]* href="([^"]+)"/g)];
    expect(feeds).toHaveLength(3);
    for (const [, type, href = ""] of feeds) {
      const feed = await fetch(new URL(href, tandem.baseUrl));
      expect([feed.status, feed.headers.get("content-type")]).toEqual([200, `${type}; charset=utf-8`]);
      expect(await feed.text()).toContain("On engines");
    }
    expect(text).toContain("On engines</a>");
    for (const path of ["/creators/native/nobody", "/creators/nowhere/ada"])
      expect((await html(path)).status).toBe(404);
  });

  test("label what AI wrote in link previews", async () => {
    const eve = await tandem.as.human("eve");
    const agent = await tandem.as.agent(eve, "eves_bot");
    const key = await tandem.as.key(["profile:write"], eve);
    const preview = async (name: string) =>
      /<meta property="og:description" content="(.*)">/.exec(
        await (await html(`/creators/native/${name}`)).text(),
      )?.[1];
    await eve.editProfile({ bio: "By hand." });
    await agent.editProfile({ bio: "By the agent." });
    expect([await preview("eve"), await preview("eves_bot")]).toEqual([
      "By hand.",
      "AI agent · By the agent.",
    ]);
    await key.editProfile({ bio: "By a key." });
    expect(await preview("eve")).toBe("AI-generated · By a key.");
    const live = await tandem.as.agentSession(eve, agent.agent.id);
    await live.startLive({ title: "Looms" });
    expect(await (await html("/live/eves_bot")).text()).toContain(
      '<meta property="og:description" content="AI-generated · ',
    );
  });

  test("show a pinned post, comments, and to their owner what they liked", async () => {
    const [weaver, reader] = [await tandem.as.human("weaver"), await tandem.as.human("reader")];
    const { post } = await weaver.createPost({ title: "My best loom" });
    await weaver.createPost({ title: "Another" });
    const { post: liked } = await reader.createPost({ title: "A fine wheel" });
    await weaver.likePost({ id: liked.id });
    await weaver.createComment({ id: liked.id, body: "How it spins!" });
    await using visitor = await visit(tandem, weaver, { viewport: { width: 834, height: 1112 } });
    const { page } = visitor;
    await visitor.open("/creators/native/weaver");
    const card = page.getByRole("article").filter({ hasText: "My best loom" });
    const choose = async (item: string) => {
      await card.first().getByRole("button", { name: "More" }).click();
      await page.getByRole("menuitem", { name: item }).click();
    };
    await choose("Pin to your profile");
    await page.getByRole("region", { name: "Pinned" }).getByText("My best loom").waitFor();
    expect((await reader.readCreator({ platform: "native", author: "weaver" })).creator.pinnedPostId).toBe(
      post.id,
    );
    expect(await (await html("/creators/native/weaver")).text()).toContain("Pinned</h2>");
    await choose("Unpin from your profile");
    await page.getByRole("region", { name: "Pinned" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Likes" }).click();
    await page.getByRole("article").filter({ hasText: "A fine wheel" }).waitFor();
    await page.getByRole("link", { name: "Comments" }).click();
    await page.getByText("How it spins!").waitFor();
    expect(await visitor.axeViolations()).toEqual([]);
    await page.getByRole("link", { name: "On “A fine wheel”" }).click();
    await page.waitForURL(`**/posts/${liked.id}#comment-*`);
    expect(visitor.browserErrors).toEqual([]);
    const seen = await (await html("/creators/native/weaver?tab=likes")).text();
    expect([seen.includes("Joined "), seen.includes("A fine wheel")]).toEqual([true, false]);
  });

  test("link what a bio and a post's title mention", async () => {
    const [ada, mary] = [await tandem.as.human("bio_ada"), await tandem.as.human("bio_mary")];
    await ada.editProfile({ bio: "Friend of @bio_mary. More at https://example.org/ada" });
    const { post } = await ada.createPost({ title: "With @bio_mary on #looms" });
    await using visitor = await visit(tandem, mary);
    const { page } = visitor;
    await visitor.open("/creators/native/bio_ada");
    const header = page.getByRole("main").locator("header");
    await header.getByRole("link", { name: "@bio_mary" }).waitFor();
    await header.getByRole("link", { name: "https://example.org/ada" }).waitFor();
    const card = page.getByRole("article");
    expect(await card.getByRole("heading").textContent()).toBe("With @bio_mary on #looms");
    expect(await visitor.axeViolations()).toEqual([]);
    await card.getByRole("link", { name: "#looms", exact: true }).click();
    await page.waitForURL("**/search?q=%23looms");
    await page.goBack();
    // Anywhere else on the card opens the post.
    await card
      .getByText("With", { exact: false })
      .first()
      .click({ position: { x: 5, y: 5 } });
    await page.waitForURL(`**/posts/${post.id}`);
    await page.getByRole("heading", { level: 1 }).getByRole("link", { name: "@bio_mary" }).click();
    await page.waitForURL("**/creators/native/bio_mary");
    expect(visitor.browserErrors).toEqual([]);
  });

  test("name and link an agent's operator", async () => {
    const operator = await tandem.as.human("charles");
    await operator.editProfile({ displayName: "Charles B" });
    await tandem.as.agent(operator, "mill_bot");
    const text = await (await html("/creators/native/mill_bot")).text();
    const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    const url = `${tandem.baseUrl}/creators/native/charles`;
    expect(JSON.parse(json).mainEntity).toMatchObject({
      "@type": "SoftwareApplication",
      provider: { "@type": "Person", name: "Charles B", alternateName: "charles", url },
    });
    await using visitor = await visit(tandem);
    await visitor.open("/creators/native/mill_bot");
    await visitor.page.getByText("Operated by").getByRole("link", { name: "Charles B (@charles)" }).click();
    await visitor.page.getByRole("heading", { level: 1, name: "Charles B" }).waitFor();
    expect(await visitor.page.getByText("Operated by").count()).toBe(0);
    expect(await (await html("/creators?q=mill")).text()).toContain("Operated by Charles B (@charles)");
  });

  test("show links with a tick for verified ones, in every form of the page", async () => {
    const { user } = await tandem.as.human("mary_s");
    const [site, other] = ["https://mary.example/about", "https://example.org/"];
    const row = { user_id: user.id, host: "x", due_at: null };
    const verified_at = Date.now() - 3 * DAY;
    await tandem.storage.write((tx) =>
      tx
        .insertInto("profile_links")
        .values([
          { ...row, position: 0, url: site, verified_at, checked_at: verified_at },
          { ...row, position: 1, url: other, checked_at: verified_at, problem: "no_link_back" },
        ])
        .execute(),
    );
    const text = await (await html("/creators/native/mary_s")).text();
    const [, json = "{}"] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(json).mainEntity.sameAs).toEqual([site]);
    const markdown = await (await fetch(`${tandem.baseUrl}/creators/native/mary_s.md`)).text();
    expect(markdown).toMatch(/mary\.example\/about.*\(verified \d{4}-/);
    expect(markdown).toMatch(/example\.org.*\(not verified\)/);

    await using visitor = await visit(tandem, undefined, phone);
    await visitor.open("/creators/native/mary_s");
    const items = visitor.page.getByRole("list", { name: "Links" }).getByRole("listitem");
    expect(await items.allInnerTexts()).toEqual(["mary.example/about\nVerified 3 days ago", "example.org"]);
    for (const link of await items.getByRole("link").all())
      expect(await link.getAttribute("rel")).toBe("me ugc nofollow noopener noreferrer");
    expect(await visitor.axeViolations()).toEqual([]);
  });

  test("follow and unfollow immediately, and revert if the service fails", async () => {
    const [reader, author] = [await tandem.as.human(), await tandem.as.human()];
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open(`/creators/native/${author.user.username}`);
    await page.getByRole("button", { name: "Follow", exact: true }).click();
    await page.getByRole("button", { name: "Following", pressed: true }).waitFor();
    await page.getByText("1 follower on Tandem").waitFor();
    await expect.poll(async () => (await reader.listFollows()).follows.length).toBe(1);

    await page.route("**/api/follows", (route) =>
      route.fulfill({ status: 500, json: { error: "no", code: "internal" } }),
    );
    await page.getByRole("button", { name: "Following", pressed: true }).click();
    await page.getByText("Something went wrong on our side").waitFor();
    await page.getByRole("button", { name: "Following", pressed: true }).waitFor();
    await page.unroute("**/api/follows");

    await visitor.open("/following");
    await page.getByRole("button", { name: `Unfollow @${author.user.username}` }).click();
    await page.getByText("You don't follow anyone yet").waitFor();
    expect((await reader.listFollows()).follows).toEqual([]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: `Unfollow @${author.user.username}` }).waitFor();
  });

  test("send signed-out visitors to log in, and back", async () => {
    const author = await tandem.as.human();
    await using visitor = await visit(tandem);
    const path = `/creators/native/${author.user.username}`;
    await visitor.open(path);
    const follow = visitor.page.getByRole("link", { name: "Follow" });
    expect(await follow.getAttribute("href")).toBe(`/login?next=${encodeURIComponent(path)}`);
  });

  test("open the menu for a click before its script has loaded", async () => {
    const { username } = (await tandem.as.human()).user;
    await using visitor = await visit(tandem, await tandem.as.human());
    const { page } = visitor;
    let release = () => {};
    const released = new Promise<void>((go) => {
      release = go;
    });
    let isHeld = false;
    await page.route(`**/${await chunkOf("src/areas/creators/creator-menu.tsx")}`, async (route) => {
      isHeld = true;
      await released;
      await route.continue();
    });
    await visitor.open(`/creators/native/${username}`);
    await page.getByRole("button", { name: "More options for this account" }).press("Enter");
    await expect.poll(() => isHeld).toBe(true);
    release();
    await page.getByRole("menuitem", { name: "Report" }).waitFor();
  });

  test("have dialogs without a name that a key wrote for a person, since there is no mark", async () => {
    const person = await tandem.as.human();
    await (await tandem.as.key(undefined, person)).editProfile({ displayName: "Wordsmith" });
    const { username } = person.user;
    await using visitor = await visit(tandem, await tandem.as.human());
    const { page } = visitor;
    await visitor.open(`/creators/native/${username}`);
    await page.getByRole("heading", { name: "Wordsmith" }).waitFor();
    for (const [item, title] of [
      ["Add to list", `Lists with @${username}`],
      [`Mute @${username}`, `Mute @${username}?`],
      [`Block @${username}`, `Block @${username}?`],
    ] as const) {
      await page.getByRole("button", { name: "More options for this account" }).click();
      await page.getByRole("menuitem", { name: item }).click();
      await page
        .getByRole("dialog")
        .or(page.getByRole("alertdialog"))
        .getByRole("heading", { name: title, exact: true })
        .waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  });

  test("show a friend request to the reader without loading lists of friends or blocks", async () => {
    const [reader, other] = [await tandem.as.human(), await tandem.as.human()];
    await other.requestFriend({ username: reader.user.username });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    const requests: string[] = [];
    page.on("request", (request) => requests.push(new URL(request.url()).pathname));
    await visitor.open(`/creators/native/${other.user.username}`);
    await page.getByRole("button", { name: "Accept friend request" }).click();
    await page.getByRole("main").getByText("Friends", { exact: true }).waitFor();
    expect(requests.filter((path) => /^\/api\/(friends|blocks)$/.test(path))).toEqual([]);
    expect((await reader.listFriends()).friends).toMatchObject([{ username: other.user.username }]);
  });

  test("send a friend request, a report and a block by keyboard alone", async () => {
    const [reader, other] = [await tandem.as.human(), await tandem.as.human()];
    const { username } = other.user;
    await other.editProfile({ displayName: "Ada Lovelace" });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open(`/creators/native/${username}`);
    await page.getByRole("button", { name: "Add friend" }).press("Enter");
    await page.getByRole("button", { name: "Cancel request" }).waitFor();
    expect((await other.listFriendRequests()).incoming).toMatchObject([{ from: reader.user.username }]);

    const more = page.getByRole("button", { name: "More options for this account" });
    await more.press("Enter");
    await page.getByRole("menuitem", { name: "Report" }).press("Enter");
    await page.getByLabel("Impersonation").check();
    await page.getByLabel("Anything else moderators should know?").fill("It isn't me.");
    await page.route("**/api/reports", (route) =>
      route.fulfill({
        status: 429,
        headers: { "retry-after": "30" },
        json: { error: "wait", code: "rate_limited" },
      }),
    );
    await page.getByRole("button", { name: "Send report" }).press("Enter");
    await page.getByText("try again in 30 seconds").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await more.press("Enter");
    await page.getByRole("menuitem", { name: "Report" }).press("Enter");
    expect(await page.getByLabel("Anything else moderators should know?").inputValue()).toBe("It isn't me.");
    expect(await page.getByLabel("Impersonation").isChecked()).toBe(true);
    await page.unroute("**/api/reports");
    await page.getByRole("button", { name: "Send report" }).press("Enter");
    await page.getByText("Moderators will review your report").waitFor();
    expect((await reader.listReports()).reports).toMatchObject([
      { reason: "Impersonation", note: "It isn't me." },
    ]);

    await more.press("Enter");
    await page.getByRole("menuitem", { name: `Block @${username}` }).press("Enter");
    await page.getByRole("dialog", { name: `Block Ada Lovelace (@${username})?` }).waitFor();
    await page.getByRole("button", { name: `Block @${username}` }).press("Enter");
    await page.getByText("You blocked this account.").waitFor();
    // Their posts are hidden, so the page doesn't say that there are none.
    await page.getByText("Posts are hidden").waitFor();
    expect(await page.getByText("No posts yet").count()).toBe(0);
    expect(await page.getByRole("link", { name: "Comments" }).count()).toBe(0);
    expect((await reader.listBlocks()).blocks).toMatchObject([{ username }]);
    await page.getByRole("button", { name: "Unblock" }).press("Enter");
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    expect((await reader.listBlocks()).blocks).toEqual([]);
  });

  test("don't say that someone has no posts if they are hidden from the reader", async () => {
    const [author, reader] = [await tandem.as.human(), await tandem.as.human()];
    await author.createPost({ title: "Not for everyone" });
    await author.block({ username: reader.user.username });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    await visitor.open(`/creators/native/${author.user.username}`);
    await page.getByText("No posts to show here").waitFor();
    expect(await page.getByText("No posts yet").count()).toBe(0);
    expect(await page.getByText("block", { exact: false }).count()).toBe(0);
  });

  test("update other pages after a block or a deletion, without a reload", async () => {
    const [reader, troll] = [await tandem.as.human(), await tandem.as.human("troll")];
    await troll.createPost({ title: "Under the bridge" });
    const { post } = await reader.createPost({ title: "Over the bridge" });
    await using visitor = await visit(tandem, reader);
    const { page } = visitor;
    let documents = 0;
    page.on("request", (request) => request.isNavigationRequest() && documents++);
    const theirs = page.getByRole("article").filter({ hasText: "Under the bridge" });
    const own = page.getByRole("article").filter({ hasText: "Over the bridge" });
    const main = page.getByRole("main");
    const blocked = page.getByText("You blocked this account.");
    await visitor.open("/blocks");
    await page.getByText("No blocked accounts").waitFor();
    await page.getByRole("link", { name: "Tandem" }).click();
    await theirs.getByRole("link", { name: "troll" }).first().click();
    await page.getByRole("heading", { level: 1, name: "troll" }).waitFor();
    await theirs.waitFor();
    // Until the menu has loaded, it is a plain button.
    await page.getByRole("button", { name: "More options for this account", expanded: false }).click();
    await page.getByRole("menuitem", { name: "Block @troll" }).click();
    await page.getByRole("button", { name: "Block @troll" }).click();
    await blocked.waitFor();
    expect(await theirs.count()).toBe(0);
    await page.goBack();
    await own.waitFor();
    expect(await theirs.count()).toBe(0);
    await page.goBack();
    await page.getByRole("button", { name: "Unblock @troll" }).click();
    await page.getByText("No blocked accounts").waitFor();
    await page.goForward();
    await theirs.waitFor();
    await page.goForward();
    await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
    expect(await blocked.count()).toBe(0);
    await page.goBack();
    await own.getByRole("link", { name: reader.user.username }).first().click();
    await page.getByRole("heading", { level: 1, name: reader.user.username }).waitFor();
    await own.getByRole("button", { name: "More options for this post" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await main.getByText("No posts yet").waitFor();
    expect((await reader.call("readPost", { id: post.id })).status).toBe(404);
    expect([documents, visitor.browserErrors]).toEqual([1, []]);
  });

  test("are found by part of their name", async () => {
    const agent = await tandem.as.agent(undefined, "quillbot");
    await agent.createPost({ title: "Ink" });
    await using visitor = await visit(tandem);
    const { page } = visitor;
    await visitor.open("/creators");
    await page.getByRole("link", { name: "quillbot" }).waitFor();
    await page.getByRole("searchbox").fill("quill");
    await page.getByText("1 creator found").waitFor();
    expect(page.url()).toContain("q=quill");
    await page.getByText("AI agent").waitFor();
    await page.getByRole("link", { name: "quillbot" }).click();
    await page.getByRole("heading", { level: 1, name: "quillbot" }).waitFor();
  });
});

/** The built file of a source that is loaded on demand. Its name is only a hash. */
async function chunkOf(source: string): Promise<string> {
  const manifest = new URL("../../../dist/client/.vite/manifest.json", import.meta.url);
  return JSON.parse(await readFile(manifest, "utf8"))[source].file;
}
