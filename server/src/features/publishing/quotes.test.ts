import { checkReceipt } from "@tandem/client/check-receipt";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller } from "@tandem/testing/callers";
import { communityName } from "@tandem/testing/communities";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

describe.each(engines)("quotes on %s", (engine) => {
  const once = testOnce(engine);
  let tandem: Tandem;
  beforeAll(async () => {
    tandem = await startTandem(engine);
  });
  afterAll(() => tandem.stop());

  const asAdmin = async () => {
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    return admin;
  };

  const refused = async (caller: Caller, input: Record<string, unknown>) => {
    const { status, body } = await caller.call("createPost", { title: "So it is", ...input });
    const { code, field } = body as { code?: string; field?: string };
    return [status, code, field];
  };

  test("show the quoted post as it is now, with its own author and mark", async () => {
    const [ada, bot] = [await tandem.as.human(), await tandem.as.agent()];
    const { post: original } = await bot.createPost({
      title: "On **looms**",
      body: "They *weave*.\n\nWell.",
    });
    expect(original).not.toHaveProperty("quoteId");
    expect(original).not.toHaveProperty("quote");
    expect(original).not.toHaveProperty("quoteCount");
    const { post } = await ada.createPost({ title: "So they do", quoteId: original.id });
    expect(post).toMatchObject({
      quoteId: original.id,
      provenance: "human",
      quote: {
        id: original.id,
        title: "On **looms**",
        body: "They weave. Well.",
        author: bot.agent.username,
        authorIsAgent: true,
        provenance: "ai_generated",
        provenanceBasis: "stamped",
      },
    });
    await bot.editPost({ id: original.id, body: "They wove.", contentWarning: "Old" });
    const anyone = tandem.as.anonymous();
    const now = { body: "They wove.", contentWarning: "Old" };
    expect((await anyone.readPost({ id: post.id })).post.quote).toMatchObject(now);
    const lists = [
      anyone.listPosts({ author: ada.user.username }),
      anyone.listPosts({ q: "So they do" }),
      anyone.listPosts({ sort: "hot", author: ada.user.username }),
      anyone.listQuotes({ id: original.id }),
      anyone.listStory({ id: post.id }),
    ];
    for (const { posts } of await Promise.all(lists))
      expect(posts.find(({ id }) => id === post.id)?.quote).toMatchObject(now);
    expect((await anyone.readPost({ id: original.id })).post.quoteCount).toBe(1);
  });

  once("show the poll of the quoted post and how it stands, like its text", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const bot = await tandem.as.agent(ada);
    const poll = {
      options: ["Jacquard", "Dobby"],
      isMultiple: false,
      closesAt: new Date(Date.now() + 86_400_000).toISOString(),
    };
    const { post: asking } = await ada.createPost({ title: "Which loom?", poll });
    await bob.vote({ id: asking.id, choices: [1] });
    await bot.vote({ id: asking.id, choices: [0] });
    const { post: quoting } = await bob.createPost({ title: "Look", quoteId: asking.id });
    // A post with a poll of its own, which quotes that one.
    const { post: both } = await bob.createPost({ title: "Or", quoteId: asking.id, poll });
    const votes = [
      { people: 0, agents: 1 },
      { people: 1, agents: 0 },
    ];
    const voters = { people: 1, agents: 1 };
    const quote = async (reader: Caller, id = quoting.id) => (await reader.readPost({ id })).post.quote;
    expect(await quote(tandem.as.anonymous())).toMatchObject({ poll, pollResults: { votes, voters } });
    expect((await quote(ada))?.pollResults).not.toHaveProperty("choices");
    expect((await quote(bob))?.pollResults?.choices).toEqual([1]);
    const none = { people: 0, agents: 0 };
    const { posts } = await ada.listPosts({ author: bob.user.username });
    expect(posts.find(({ id }) => id === both.id)).toMatchObject({
      ...{ poll, pollResults: { voters: none }, quote: { pollResults: { votes, voters } } },
    });
    expect(posts.find(({ id }) => id === quoting.id)).not.toHaveProperty("pollResults");
    const page = async (accept: string) =>
      (await fetch(`${tandem.baseUrl}/posts/${quoting.id}`, { headers: { accept } })).text();
    expect(await page("text/markdown")).toContain("1: `Dobby`: 1 by people, 0 by AI");
    const feed = await (await fetch(`${tandem.baseUrl}/feed.json`)).text();
    expect(feed).toContain("- Jacquard");
    await ada.editPost({ id: asking.id, contentWarning: "Looms" });
    expect(await page("text/markdown")).not.toContain("Dobby");
    await ada.deletePost({ id: asking.id });
    expect(await quote(bob)).toBe(null);
    expect((await bob.readPost({ id: both.id })).post.pollResults?.voters).toEqual(none);
  });

  once("are of agents what all their posts are, and leave the quoted post's mark as it is", async () => {
    const [ada, bot] = [await tandem.as.human(), await tandem.as.agent()];
    const { post: original } = await ada.createPost({ title: "A thought" });
    const { post } = await bot.createPost({ title: "A summary", quoteId: original.id });
    expect(post).toMatchObject({ provenance: "ai_generated", quote: { provenance: "human" } });
  });

  once("notify the author once, even if the text mentions them", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post: original } = await ada.createPost({ title: "A thought" });
    const { post } = await bob.createPost({
      title: "As she says",
      body: `@${ada.user.username} is right.`,
      quoteId: original.id,
    });
    const { notifications } = await ada.listNotifications();
    expect(notifications.map(({ type, postId, excerpt }) => ({ type, postId, excerpt }))).toEqual([
      { type: "quote", postId: post.id, excerpt: `As she says · @${ada.user.username} is right.` },
    ]);
    await ada.createPost({ title: "My own", quoteId: original.id });
    expect((await ada.listNotifications()).notifications).toHaveLength(1);
    await bob.deletePost({ id: post.id });
    expect((await ada.listNotifications()).notifications).toEqual([]);
  });

  if (runsOnceTests(engine))
    test("are unavailable once the quoted post is deleted or removed, and back when it is restored", async () => {
      const [ada, bob, admin] = [await tandem.as.human(), await tandem.as.human(), await asAdmin()];
      const { post: original } = await ada.createPost({ title: "A thought" });
      const { post } = await bob.createPost({ title: "Hm", quoteId: original.id });
      const quote = async () => (await bob.readPost({ id: post.id })).post.quote;
      await admin.removePost({ id: original.id, reason: "Spam" });
      expect(await quote()).toBeNull();
      await admin.restorePost({ id: original.id });
      expect(await quote()).toMatchObject({ title: "A thought" });
      await ada.deletePost({ id: original.id });
      expect(await quote()).toBeNull();
      expect((await bob.readPost({ id: post.id })).post.quoteId).toBe(original.id);
      expect(await refused(bob, { quoteId: original.id })).toEqual([404, "not_found", "quoteId"]);
    });

  test("are counted as they come, go, are removed and restored, and listed newest first in pages", async () => {
    const [ada, bob, admin] = [await tandem.as.human(), await tandem.as.human(), await asAdmin()];
    const { id } = (await ada.createPost({ title: "A thought" })).post;
    const ids: number[] = [];
    for (const title of ["One", "Two", "Three"])
      ids.unshift((await bob.createPost({ title, quoteId: id })).post.id);
    const count = async () => (await ada.readPost({ id })).post.quoteCount;
    const listed = async () => (await ada.listQuotes({ id })).posts.map((post) => post.id);
    expect([await count(), await listed()]).toEqual([3, ids]);
    const first = await ada.listQuotes({ id, limit: 2 });
    expect(first.posts.map((post) => post.id)).toEqual(ids.slice(0, 2));
    const rest = await ada.listQuotes({ id, cursor: Number(first.nextCursor) });
    expect([rest.posts.map((post) => post.id), rest.nextCursor]).toEqual([ids.slice(2), null]);
    const [newest = 0, middle = 0, oldest = 0] = ids;
    await admin.removePost({ id: newest, reason: "Spam" });
    expect([await count(), await listed()]).toEqual([2, [middle, oldest]]);
    await admin.restorePost({ id: newest });
    expect([await count(), await listed()]).toEqual([3, ids]);
    await bob.deletePost({ id: middle });
    expect([await count(), await listed()]).toEqual([2, [newest, oldest]]);
    await ada.detachQuote({ id, quotingId: oldest });
    await ada.detachQuote({ id, quotingId: oldest });
    expect([await count(), await listed()]).toEqual([1, [newest]]);
    expect((await bob.readPost({ id: oldest })).post.quote).toBeNull();
    expect((await bob.call("detachQuote", { id, quotingId: newest })).status).toBe(403);
    expect((await ada.call("listQuotes", { id: middle })).status).toBe(404);
  });

  once("can be forbidden by the author, who still can, and that detaches those that exist", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { post: closed } = await ada.createPost({ title: "Not to be quoted", quotePolicy: "nobody" });
    expect(closed.quotePolicy).toBe("nobody");
    expect(await refused(bob, { quoteId: closed.id })).toEqual([403, "forbidden", "quoteId"]);
    const { post: own } = await ada.createPost({ title: "My own", quoteId: closed.id });
    expect(own.quote?.title).toBe("Not to be quoted");
    const { id } = closed;
    expect((await ada.editPost({ id, quotePolicy: "anyone" })).post).not.toHaveProperty("quotePolicy");
    const { post } = await bob.createPost({ title: "Hm", quoteId: id });
    const { post: again } = await ada.editPost({ id, quotePolicy: "nobody" });
    expect(again).toMatchObject({ quotePolicy: "nobody", quoteCount: 1, editedAt: null });
    expect((await bob.readPost({ id: post.id })).post.quote).toBeNull();
    expect((await bob.readPost({ id: own.id })).post.quote?.id).toBe(id);
    await ada.editPost({ id, quotePolicy: "anyone" });
    expect((await bob.readPost({ id: post.id })).post.quote).toBeNull();
    expect((await bob.listPostVersions({ id })).versions).toHaveLength(1);
    // An edit keeps it.
    await ada.editPost({ id, quotePolicy: "nobody", title: "Really not" });
    expect((await ada.editPost({ id, body: "No." })).post.quotePolicy).toBe("nobody");
  });

  test("count each removed quote once, and keep the author's own through a removal", async () => {
    const [ada, bob, cleo] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
    const { post } = await ada.createPost({ title: "Much quoted" });
    const { id } = post;
    const quotes = [ada, bob, cleo].map((who) => who.createPost({ title: "See", quoteId: id }));
    const [own, removed] = (await Promise.all(quotes)).map((response) => response.post.id);
    const count = async () => (await ada.readPost({ id })).post.quoteCount;
    for (const one of [own, removed]) await admin.removePost({ id: Number(one), reason: "Spam" });
    expect(await count()).toBe(1);
    await bob.deleteAccount({ password: bob.password });
    expect(await count()).toBe(1);
    await ada.editPost({ id, quotePolicy: "nobody" });
    await admin.restorePost({ id: Number(own) });
    expect((await cleo.readPost({ id: Number(own) })).post.quote?.id).toBe(id);
    expect(await count()).toBe(1);
  });

  once("chosen by a key change no mark", async () => {
    const ada = await tandem.as.human();
    const key = await tandem.as.key(undefined, ada);
    const { post } = await ada.createPost({ title: "A thought" });
    expect((await key.editPost({ id: post.id, quotePolicy: "nobody" })).post).toMatchObject({
      quotePolicy: "nobody",
      provenance: "human",
    });
    expect((await key.editPost({ id: post.id, title: "By AI" })).post.provenance).toBe("ai_generated");
  });

  test("are refused between accounts that blocked each other, and hidden from everyone", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { id } = (await ada.createPost({ title: "A thought" })).post;
    const { post } = await bob.createPost({ title: "Hm", quoteId: id });
    const bot = await tandem.as.agent(bob);
    await ada.block({ username: bob.user.username });
    for (const caller of [bob, bot])
      expect(await refused(caller, { quoteId: id })).toEqual([403, "forbidden", "quoteId"]);
    const anyone = tandem.as.anonymous();
    expect((await anyone.readPost({ id: post.id })).post.quote).toBeNull();
    expect((await anyone.listQuotes({ id })).posts).toEqual([]);
    await ada.unblock({ username: bob.user.username });
    expect((await anyone.readPost({ id: post.id })).post.quote?.id).toBe(id);
  });

  test("hide the quoted post from readers who block, mute or hide it", async () => {
    const [ada, bob, carol] = [await tandem.as.human(), await tandem.as.human(), await tandem.as.human()];
    const bot = await tandem.as.agent(ada);
    const original = (await bot.createPost({ title: "On looms", sensitive: true })).post;
    const { id } = (await bob.createPost({ title: "Hm", quoteId: original.id })).post;
    const shown = async () => [
      (await carol.readPost({ id })).post.quote?.id ?? null,
      (await carol.listPosts({ author: bob.user.username })).posts[0]?.quote?.id ?? null,
    ];
    const yes = [original.id, original.id];
    expect(await shown()).toEqual(yes);
    await carol.block({ username: ada.user.username });
    expect(await shown()).toEqual([null, null]);
    await carol.unblock({ username: ada.user.username });
    expect(await shown()).toEqual(yes);
    for (const mute of [{ platform: "native", author: ada.user.username } as const, { word: "looms" }]) {
      await carol.mute(mute);
      expect(await shown()).toEqual([null, null]);
      await carol.unmute(mute);
    }
    for (const hidden of [{ aiPosts: "hide" }, { aiPosts: "show", sensitivePosts: "hide" }] as const) {
      await carol.editPreferences(hidden);
      expect(await shown()).toEqual([null, null]);
    }
    await carol.editPreferences({ sensitivePosts: "warn" });
    expect(await shown()).toEqual(yes);
  });

  once("of suspended accounts are hidden", async () => {
    const [ada, bob, admin] = [await tandem.as.human(), await tandem.as.human(), await asAdmin()];
    const original = (await ada.createPost({ title: "A thought" })).post;
    const { id } = (await bob.createPost({ title: "Hm", quoteId: original.id })).post;
    await admin.suspendAccount({ id: ada.user.id, reason: "Spam" });
    expect((await bob.readPost({ id })).post.quote).toBeNull();
    await admin.liftSuspension({ id: ada.user.id });
    expect((await bob.readPost({ id })).post.quote?.title).toBe("A thought");
  });

  once("follow the communities' policies on AI, their bans and their ends", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const bot = await tandem.as.agent(bob);
    const [people, open] = [communityName(), communityName()];
    await ada.createCommunity({ name: people, aiPolicy: "people_only" });
    await ada.createCommunity({ name: open });
    await bob.joinCommunity({ name: people });
    const byAi = (await bot.createPost({ title: "By AI" })).post.id;
    const byAda = (await ada.createPost({ title: "By Ada" })).post.id;
    const inPeople = (await ada.createPost({ title: "Among people", community: people })).post.id;
    const inOpen = (await ada.createPost({ title: "Among all", community: open })).post.id;
    expect(await refused(bob, { quoteId: byAi, community: people })).toEqual([403, "ai_policy", "quoteId"]);
    expect(await refused(bot, { quoteId: inPeople })).toEqual([403, "ai_policy", "quoteId"]);
    await bob.createPost({ title: "Fine", quoteId: byAda, community: people });
    await bob.createPost({ title: "Fine, too", quoteId: inPeople });
    await bot.createPost({ title: "And this", quoteId: inOpen });
    await ada.banFromCommunity({ name: open, username: bob.user.username, reason: "Spam" });
    for (const caller of [bob, bot])
      expect(await refused(caller, { quoteId: inOpen })).toEqual([403, "community_banned", "quoteId"]);
    await ada.closeCommunity({ name: people });
    expect(await refused(bob, { quoteId: inPeople })).toEqual([409, "community_closed", "quoteId"]);
  });

  test("are drafts' too, which are checked when they are published", async () => {
    const [ada, bob] = [await tandem.as.human(), await tandem.as.human()];
    const { id } = (await ada.createPost({ title: "A thought" })).post;
    const { draft } = await bob.createDraft({ title: "Hm", quoteId: id, quotePolicy: "nobody" });
    expect(draft).toMatchObject({ quoteId: id, quotePolicy: "nobody" });
    const { postId } = await bob.publishDraft({ id: draft.id });
    expect((await bob.readPost({ id: Number(postId) })).post).toMatchObject({
      quoteId: id,
      quotePolicy: "nobody",
      quote: { title: "A thought" },
    });
    const { draft: late } = await bob.createDraft({ title: "Too late", quoteId: id });
    await ada.editPost({ id, quotePolicy: "nobody" });
    const { status } = await bob.call("publishDraft", { id: late.id });
    expect(status).toBe(403);
    const { draft: without } = await bob.editDraft({ id: late.id, quoteId: null });
    expect(without.quoteId).toBeNull();
    expect((await bob.publishDraft({ id: late.id })).published).toBe(true);
  });

  once("are in versions by their id, also after the quoted post is gone", async () => {
    const ada = await tandem.as.human();
    const original = (await ada.createPost({ title: "A thought" })).post.id;
    const { id } = (await ada.createPost({ title: "Hm", quoteId: original })).post;
    await ada.editPost({ id, title: "Hm!" });
    await ada.deletePost({ id: original });
    const { versions } = await ada.listPostVersions({ id });
    expect(versions.map(({ quoteId }) => quoteId)).toEqual([original, original]);
  });

  test("are in feeds, Markdown, structured data and receipts, with the quoted post's own label", async () => {
    const [ada, bot] = [await tandem.as.human(), await tandem.as.agent()];
    const quoted = (await bot.createPost({ title: "A <machine>", body: "It *weaves*." })).post.id;
    const warned = (await bot.createPost({ title: "An end", body: "He wakes.", contentWarning: "Spoilers" }))
      .post.id;
    const gone = (await bot.createPost({ title: "Gone" })).post.id;
    const ids: number[] = [];
    for (const quoteId of [quoted, warned, gone])
      ids.push((await ada.createPost({ title: "Look", body: `At ${quoteId}.`, quoteId })).post.id);
    await bot.deletePost({ id: gone });
    const page = async (path: string, accept: string) =>
      (await fetch(tandem.baseUrl + path, { headers: { accept } })).text();
    const profile = `/creators/native/${ada.user.username}`;
    for (const format of ["rss", "atom", "json"]) {
      const feed = await page(`${profile}/feed.${format}`, "*/*");
      expect(feed).toContain(`Quoting ${bot.agent.username} (AI agent):`);
      expect(feed).toContain("It weaves.");
      expect(feed).toContain("AI-generated.");
      expect(feed).toContain("Content warning: Spoilers");
      expect(feed).toMatch(/It quotes a post that isn(?:'|&#39;|&apos;)t available\./);
      for (const hidden of ["He wakes", "Gone", "<machine>"])
        expect([format, feed.includes(hidden)]).toEqual([
          format,
          format === "json" && hidden === "<machine>",
        ]);
    }
    for (const path of [profile, ...ids.map((id) => `/posts/${id}`), `/posts/${quoted}/quotes`]) {
      const markdown = await page(path, "text/markdown");
      expect(markdown).not.toContain("He wakes");
      if (path === profile || path === `/posts/${ids[0]}`)
        expect(markdown).toMatch(
          /#+ Quoted: \[Post \d+\][\s\S]*AI-generated, by the agent[\s\S]*It weaves\./,
        );
      if (path === profile || path === `/posts/${ids[1]}`) expect(markdown).toContain("Spoilers");
      if (path === profile || path === `/posts/${ids[2]}`) expect(markdown).toContain("isn't available");
    }
    const [first = 0, second = 0] = ids;
    const html = await page(`/posts/${first}`, "text/html");
    const data = JSON.parse(
      /<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/s.exec(html)?.[1] ?? "",
    );
    expect(data.sharedContent).toMatchObject({
      headline: "A <machine>",
      text: "It weaves.",
      author: { name: bot.agent.username },
      digitalSourceType: expect.stringContaining("trainedAlgorithmicMedia"),
    });
    expect(data).not.toHaveProperty("digitalSourceType");
    expect((await page(`/posts/${second}`, "text/html")).split("</head>")[0]).not.toContain("He wakes");
    for (const path of ids) {
      const target = { baseUrl: tandem.baseUrl, postId: path, commentId: null };
      const { ok, results } = await checkReceipt(target);
      expect({ ok, text: results.text }).toEqual({ ok: true, text: "passed" });
    }
  });
});
