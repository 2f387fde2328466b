import { DAY } from "@tandem/contract/durations";
import { type Article, type ImportSetup, rssFeed, startImports } from "@tandem/testing/import-setup";
import { engines } from "@tandem/testing/tandem";
import { testOnce } from "@tandem/testing/test-once";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { FAILURES } from "./schedule.ts";

/** A few hours before the test clock starts. */
const JUNE = Date.UTC(2026, 5, 1) - DAY / 4;

describe.each(engines)("sources on %s", (engine) => {
  const once = testOnce(engine);
  let world: ImportSetup;
  beforeEach(async () => {
    world = await startImports(engine);
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const show = (articles: readonly Article[], headers: Record<string, string> = {}) =>
    world.origin.show("/feed.xml", {
      headers: { "content-type": "application/rss+xml", ...headers },
      body: rssFeed(articles),
    });
  const add = async (url = show([])) => (await world.admin.addSource({ url })).source;
  const listed = async () => (await world.admin.listSources()).sources;
  const feed = async (input = {}) => (await world.tandem.as.anonymous().listPosts(input)).posts;
  const nextDay = async () => {
    world.clock.now += DAY;
    await world.poll();
  };
  const feedRequests = () => world.origin.requests.filter(({ path }) => path === "/feed.xml");

  test("are found by name, count what they brought, and are suggested", async () => {
    const source = await add(
      show([
        { id: "b", at: JUNE + 2000 },
        { id: "a", at: JUNE },
      ]),
    );
    const rows = [
      { platform: "mastodon", name: "#Weaving", community: "Weaving", imported: 3 },
      { platform: "reddit", name: "r/weave_new", community: "weave_new", imported: 0 },
      { platform: "lemmy", name: "WEAVERS at home", community: "looms%", imported: 1 },
    ] as const;
    await world.tandem.storage.write((tx) => tx.insertInto("sources").values(rows).execute());
    const found = async (q: string, more = {}) =>
      (await world.admin.listSources({ q, ...more })).sources.map(({ name }) => name);
    expect(await found("WEAV")).toEqual(["#Weaving", "r/weave_new", "WEAVERS at home"]);
    expect(await found("weavers")).toEqual(["WEAVERS at home"]);
    expect(await found("weav", { state: "failing" })).toEqual([]);
    expect(await found("loom_")).toEqual([]);
    expect(source.importedPosts).toBe(0);
    await world.poll();
    const { creators, communities } = await world.tandem.as.anonymous().suggestSearch({ q: "#weav" });
    expect(communities).toEqual([{ platform: "mastodon", community: "Weaving" }]);
    expect(creators).toEqual([]);
    const people = await world.tandem.as.anonymous().suggestSearch({ q: "ada" });
    expect(people.creators).toMatchObject([{ author: "Ada@127.0.0.1", postCount: 2 }]);
    // A visit that finds nothing new adds nothing.
    await nextDay();
    expect((await world.admin.readSource({ id: source.id })).source.importedPosts).toBe(2);
  });

  test("import posts that name their source", async () => {
    const source = await add(
      show([
        { id: "b", at: JUNE + 2000 },
        { id: "a", at: JUNE, author: "Mary" },
      ]),
    );
    expect(source).toMatchObject({ platform: "rss", enabled: true, state: "new", failures: 0 });
    await world.poll();
    const posts = await feed({ sourceId: source.id });
    expect(posts).toMatchObject([
      {
        title: "On b",
        author: "Ada@127.0.0.1",
        platform: "rss",
        mediaType: "link",
        url: "https://example.org/b",
      },
      {
        title: "On a",
        author: "Mary@127.0.0.1",
        provenance: "human",
        authorIsAgent: false,
        body: "They weave.",
      },
    ]);
    expect(posts.map(({ sourceName }) => sourceName)).toEqual([source.name, source.name]);
    expect(await feed({ q: "weave", author: "mary@127.0.0.1" })).toHaveLength(1);
    expect((await world.tandem.as.anonymous().searchCreators({ q: "mar" })).creators).toEqual([
      {
        platform: "rss",
        author: "Mary@127.0.0.1",
        displayName: null,
        avatarUrl: null,
        postCount: 1,
        operator: null,
      },
    ]);
    expect(await listed()).toMatchObject([
      { state: "working", polledAt: new Date(world.clock.now).toISOString() },
    ]);
  });

  once("import a podcast's episodes with their audio, which is wherever the posts are read", async () => {
    const audioUrl = "https://cdn.example.org/1.mp3?a=1&b=2";
    const episode = (about: string) =>
      rssFeed(
        [],
        `<item><guid isPermaLink="false">e1</guid><title>Episode</title>${about}
        <enclosure url="${audioUrl.replace("&", "&amp;")}" type="audio/mpeg" length="1"/></item>`,
      );
    const showEpisode = (about: string) => world.origin.show("/feed.xml", { body: episode(about) });
    const page = "<link>https://example.org/1</link>";
    await add(showEpisode(page));
    await world.poll();
    const [post] = await feed();
    expect(post).toMatchObject({ mediaType: "link", url: "https://example.org/1", audioUrl });
    const { baseUrl } = world.tandem;
    const read = async (path: string, accept = "*/*") =>
      (await fetch(baseUrl + path, { headers: { accept } })).text();
    expect(await read(`/posts/${post?.id}.md`)).toContain(`Audio: \`${audioUrl}\``);
    const [, data = ""] =
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(
        await read(`/posts/${post?.id}`, "text/html"),
      ) ?? [];
    expect(JSON.parse(data)).toMatchObject({ audio: { "@type": "AudioObject", contentUrl: audioUrl } });
    const [source] = await listed();
    expect(JSON.parse(await read(`/feed.json?sourceId=${source?.id}`))).toMatchObject({
      title: "Tandem · Example Weekly",
      items: [{ attachments: [{ url: audioUrl, mime_type: "audio/mpeg" }] }],
    });
    expect(JSON.parse(await read("/api/posts?fields=audioUrl")).posts).toEqual([{ audioUrl }]);
    // A length that becomes known is no edit by the author. Without a page, the sound is the link.
    showEpisode(
      `${page}<itunes:duration xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd">1:05</itunes:duration>`,
    );
    await nextDay();
    expect(await feed()).toMatchObject([{ id: post?.id, durationSeconds: 65, editedAt: null }]);
    showEpisode("");
    await nextDay();
    expect(await feed()).toMatchObject([{ id: post?.id, mediaType: "link", url: audioUrl, audioUrl }]);
  });

  test("update the post of an item that appears again", async () => {
    await add(show([{ id: "a" }, { id: "b" }]));
    await world.poll();
    const [post] = await feed();
    const reader = await world.tandem.as.human();
    await reader.likePost({ id: Number(post?.id) });
    show([{ id: "a", title: "Quite another", text: "New words" }, { id: "b" }]);
    await nextDay();
    const posts = await feed();
    expect(posts).toHaveLength(2);
    expect(posts[0]).toMatchObject({ id: post?.id, title: "Quite another", body: "New words", likeCount: 1 });
    expect(await feed({ q: "quite new" })).toHaveLength(1);
    expect(await feed({ q: "weave" })).toHaveLength(1);
  });

  test("import an item shown by two of them once", async () => {
    await add(show([{ id: "https://example.org/same" }]));
    const other = world.origin.show("/other.xml", { body: rssFeed([{ id: "https://example.org/same" }]) });
    await add(other);
    await world.poll();
    expect(await feed()).toHaveLength(1);
  });

  test("delete the post of an item that is missing twice, with its dependants", async () => {
    const [a, b, c] = [3, 2, 1].map((n) => ({ id: `post${n}`, at: JUNE + n * 1000 })) as [
      Article,
      Article,
      Article,
    ];
    await add(show([a, b, c]));
    await world.poll();
    const id = (await feed()).find(({ title }) => title === "On post2")?.id ?? 0;
    await (await world.tandem.as.human()).createComment({ id, body: "Well said." });
    show([a, c]);
    await nextDay();
    expect(await feed()).toHaveLength(3);
    await nextDay();
    expect((await feed()).map(({ title }) => title)).toEqual(["On post3", "On post1"]);
    const [ada] = (await world.tandem.as.anonymous().searchCreators({ q: "ada" })).creators;
    expect(ada?.postCount).toBe(2);
    show([a, b, c]);
    await nextDay();
    expect(await feed()).toHaveLength(3);
  });

  once("are fetched conditionally, and an unchanged feed isn't read again", async () => {
    await add(show([{ id: "a" }], { etag: '"one"', "last-modified": "Thu, 01 Jan 2026 00:00:00 GMT" }));
    await world.poll();
    await nextDay();
    expect(feedRequests().at(-1)?.headers).toMatchObject({
      "if-none-match": '"one"',
      "if-modified-since": "Thu, 01 Jan 2026 00:00:00 GMT",
    });
    await nextDay();
    expect(feedRequests().at(-1)?.headers).toMatchObject({ "if-none-match": '"one"' });
    expect(await listed()).toMatchObject([{ state: "working", failures: 0 }]);
    expect(await feed()).toHaveLength(1);
  });

  once("are visited more often if they have new items, but not earlier than they allow", async () => {
    await add(show([{ id: "a" }]));
    await world.poll();
    for (let i = 0; i < 3; i++) await nextDay();
    const [quiet] = await listed();
    expect(quiet?.intervalSeconds).toBeGreaterThan(15 * 60);
    show(Array.from({ length: 5 }, (_, i) => ({ id: `new${i}` })));
    await nextDay();
    const [busy] = await listed();
    expect(busy?.intervalSeconds).toBeLessThan(Number(quiet?.intervalSeconds));
    show([], { "cache-control": "max-age=36000" });
    await nextDay();
    const [polite] = await listed();
    expect(Date.parse(String(polite?.nextAt)) - world.clock.now).toBeGreaterThan(0.9 * 36_000_000 - 1);
  });

  once("are visited only when due or when an admin requests it", async () => {
    const { id } = await add(show([{ id: "a" }]));
    await world.poll();
    const before = feedRequests().length;
    await world.poll();
    expect(feedRequests()).toHaveLength(before);
    await world.admin.pollSource({ id });
    await world.poll();
    expect(feedRequests()).toHaveLength(before + 1);
  });

  once("are retried with increasing delays, then set aside; enabling them starts over", async () => {
    const { id } = await add(show([{ id: "a" }]));
    world.origin.show("/feed.xml", { status: 500 });
    await world.poll();
    expect(await listed()).toMatchObject([
      { state: "failing", failures: 1, lastError: expect.stringContaining("500") },
    ]);
    const pauses: number[] = [];
    for (let i = 1; i < FAILURES; i++) {
      const next = Date.parse(String((await listed())[0]?.nextAt));
      pauses.push(next - world.clock.now);
      world.clock.now = next;
      await world.poll();
    }
    expect(pauses.at(4)).toBeGreaterThan(4 * Number(pauses[0]));
    expect(await listed()).toMatchObject([{ state: "set_aside", failures: FAILURES, nextAt: null }]);
    expect((await world.admin.listSources({ state: "set_aside" })).sources).toHaveLength(1);
    show([{ id: "a" }]);
    await nextDay();
    expect(await feed()).toEqual([]);
    await world.admin.editSource({ id, enabled: true });
    await world.poll();
    expect(await listed()).toMatchObject([{ state: "working", failures: 0, lastError: null }]);
    expect(await feed()).toHaveLength(1);
  });

  test("are set aside immediately on status 410, and paused as Retry-After says", async () => {
    const { id } = await add(show([]));
    world.origin.show("/feed.xml", { status: 410 });
    await world.poll();
    expect(await listed()).toMatchObject([{ state: "set_aside" }]);
    world.origin.show("/feed.xml", { status: 429, headers: { "retry-after": "7200" } });
    await world.admin.editSource({ id, enabled: true });
    await world.poll();
    const [resting] = await listed();
    expect(resting?.state).toBe("failing");
    expect(Date.parse(String(resting?.nextAt)) - world.clock.now).toBeGreaterThanOrEqual(7_200_000);
  });

  once("aren't fetched if their robots.txt disallows it", async () => {
    const allowed = world.origin.show("/open.xml", { body: rssFeed([{ id: "a" }]) });
    world.origin.show("/robots.txt", { body: "User-agent: *\nDisallow: /feed.xml\n" });
    const { status, body } = await world.admin.call("addSource", { url: show([]) });
    expect([status, body.code, body.field]).toEqual([400, "invalid_source", "url"]);
    expect(body.error).toContain("robots.txt");
    await add(allowed);
    await world.poll();
    expect(await feed()).toHaveLength(1);
    expect(feedRequests()).toEqual([]);
  });

  once("are fetched through their documented API even if robots.txt disallows crawlers", async () => {
    const { url } = world.origin;
    const json = (path: string, body: unknown) => world.origin.show(path, { body: JSON.stringify(body) });
    world.origin.show("/robots.txt", { body: "User-agent: *\nDisallow: /\n" });
    json("/.well-known/nodeinfo", { links: [{ href: `${url}/nodeinfo/2.0` }] });
    json("/nodeinfo/2.0", { software: { name: "mastodon" } });
    const account = { acct: "ada", url: "https://social.example/@ada" };
    const post = { uri: "https://social.example/1", content: "<p>Looms</p>", visibility: "public", account };
    json("/api/v1/timelines/tag/engines?limit=40", [{ ...post, created_at: new Date(JUNE).toISOString() }]);
    expect(await add(`${url}/tags/engines`)).toMatchObject({ platform: "mastodon" });
    await world.poll();
    expect(await feed()).toMatchObject([{ body: "Looms", platform: "mastodon" }]);
  });

  test("keep the times of their posts, whether the feed has times or not", async () => {
    const undated = (titles: string[]) =>
      show(
        titles.map((title) => ({ id: title.slice(0, 1), title, at: Number.NaN })),
        {},
      );
    await add(undated(["b", "a"]));
    await world.poll();
    const times = async () => (await feed()).map(({ title, postedAt }) => [title, postedAt]);
    const first = new Date(world.clock.now).toISOString();
    expect(await times()).toEqual([
      ["b", first],
      ["a", first],
    ]);
    world.clock.now += DAY;
    undated(["c", "b", "a, updated"]);
    await world.poll();
    expect(await times()).toEqual([
      ["c", new Date(world.clock.now).toISOString()],
      ["b", first],
      ["a, updated", first],
    ]);
  });

  once("aren't visited while disabled, but keep their posts", async () => {
    const { id } = await add(show([{ id: "a" }]));
    await world.poll();
    await world.admin.editSource({ id, enabled: false });
    const before = feedRequests().length;
    await nextDay();
    expect(feedRequests()).toHaveLength(before);
    expect(await feed()).toHaveLength(1);
    expect(await listed()).toMatchObject([{ enabled: false, nextAt: null }]);
  });

  test("are removed with their posts", async () => {
    const { id } = await add(show([{ id: "a" }, { id: "b", author: "Mary" }]));
    await world.poll();
    expect((await world.admin.removeSource({ id })).source).toMatchObject({ state: "removing" });
    await world.poll();
    expect(await feed()).toEqual([]);
    expect(await listed()).toEqual([]);
    expect((await world.tandem.as.anonymous().searchCreators({ q: "mary" })).creators).toMatchObject([
      { postCount: 0 },
    ]);
    await add();
    expect((await world.admin.call("removeSource", { id: 999 })).status).toBe(404);
  });

  once("are discovered from a page that links its feed", async () => {
    show([{ id: "a" }]);
    const link = '<link rel="alternate" type="application/rss+xml" href="/feed.xml">';
    const page = world.origin.show("/", {
      headers: { "content-type": "text/html" },
      body: `<html><head>${link}`,
    });
    expect(await add(page)).toMatchObject({ name: "Example Weekly", url: `${world.origin.url}/feed.xml` });
  });

  once("replay an addition with the same Idempotency-Key without new requests", async () => {
    const url = show([]);
    const first = await world.admin.addSource({ url }, { idempotencyKey: "once" });
    const before = feedRequests().length;
    world.origin.show("/feed.xml", { status: 500 });
    expect(await world.admin.addSource({ url }, { idempotencyKey: "once" })).toEqual(first);
    expect(feedRequests()).toHaveLength(before);
    const reused = await world.admin.call("addSource", { url: `${url}?other` }, { idempotencyKey: "once" });
    expect([reused.status, reused.body.code]).toEqual([422, "idempotency_mismatch"]);
    expect(feedRequests()).toHaveLength(before);
  });

  test("can't be added twice, or from an address without anything to import", async () => {
    const url = show([]);
    await add(url);
    expect(await world.admin.call("addSource", { url })).toMatchObject({
      status: 400,
      body: { code: "invalid_source", field: "url", error: expect.stringContaining("already") },
    });
    for (const address of [
      world.origin.url,
      "http://10.0.0.1/feed.xml",
      "http://user:secret@127.0.0.1:9999/",
    ]) {
      const { status, body } = await world.admin.call("addSource", { url: address });
      expect([status, body.code, body.field]).toEqual([400, "invalid_source", "url"]);
      expect(JSON.stringify(body)).not.toContain("secret");
    }
  });
});
