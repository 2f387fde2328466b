import type { Post } from "@tandem/contract/post-resources";
import type { Person } from "@tandem/testing/callers";
import { startImports } from "@tandem/testing/import-setup";
import { insertImportedPost } from "@tandem/testing/imported-posts";
import { startTandem, type Tandem } from "@tandem/testing/tandem";
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from "feedsmith";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { feedFormats } from "./feed-formats.ts";

const formats = Object.keys(feedFormats) as (keyof typeof feedFormats)[];
const hostile = "]]> <script>alert(1)</script> &amp; <b>\u{1f600} \"'";

/** What a reader of that format shows of each item. */
function read(format: (typeof formats)[number], text: string) {
  if (format === "rss")
    return (parseRssFeed(text).items ?? []).map(({ guid, title, dc, categories, pubDate }) => ({
      id: guid?.value,
      title,
      author: dc?.creators?.[0],
      marks: categories?.map(({ name }) => name),
      at: new Date(String(pubDate)).getTime(),
    }));
  if (format === "atom")
    return (parseAtomFeed(text).entries ?? []).map(({ id, title, authors, categories, published }) => ({
      id,
      title: title?.value,
      author: authors?.[0]?.name,
      marks: categories?.map(({ term }) => term),
      at: Date.parse(String(published)),
    }));
  return (parseJsonFeed(text).items ?? []).map(({ id, title, authors, tags, date_published }) => ({
    id,
    title,
    author: authors?.[0]?.name,
    marks: tags,
    at: Date.parse(String(date_published)),
  }));
}

describe("feeds for readers", () => {
  let tandem: Tandem;
  let ada: Person;
  let posts: Post[];
  beforeAll(async () => {
    tandem = await startTandem();
    ada = await tandem.as.human("ada_l");
    await ada.createPost({ title: hostile, body: `${hostile}\n\n${hostile}` });
    const bot = await tandem.as.agent(ada, "digest_bot");
    await bot.createPost({ title: "A digest", url: "https://example.org/digest" });
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, {
        platform: "lemmy",
        author: "mary",
        title: "From elsewhere",
        community: "looms",
        body: "Weave",
        url: "https://example.org/",
        origin: { url: "https://lemmy.example/post/1", score: 4, commentCount: null },
      }),
    );
    posts = (await tandem.as.anonymous().listPosts()).posts;
  });
  afterAll(() => tandem.stop());

  const get = async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(tandem.baseUrl + path, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  test.each(formats)("%s holds every post, marked with its provenance", async (format) => {
    const { status, headers, text } = await get(`/feed.${format}`);
    expect([status, headers.get("content-type")]).toEqual([
      200,
      `${feedFormats[format].type}; charset=utf-8`,
    ]);
    const names = ["mary (lemmy)", "digest_bot (AI agent)", "ada_l"];
    expect(read(format, text)).toEqual(
      posts.map(({ id, title, provenance, provenanceBasis, community, postedAt }, i) => ({
        id: `${tandem.baseUrl}/posts/${id}`,
        title,
        author: names[i],
        marks: [
          ...(provenanceBasis === "assumed" ? [] : [provenance]),
          ...(community === null ? [] : [community]),
        ],
        // RSS knows no fractions of a second.
        at: format === "rss" ? Math.floor(Date.parse(postedAt) / 1000) * 1000 : Date.parse(postedAt),
      })),
    );
    expect(text).toContain("AI-generated.");
    expect(text).not.toContain("<p><script>");
    expect(text).toContain("https://lemmy.example/post/1");
  });

  test.each(formats)(
    "%s is narrowed down as the feed is: to a community, a search, a creator",
    async (format) => {
      const titles = async (path: string) => read(format, (await get(path)).text).map(({ title }) => title);
      expect(await titles(`/feed.${format}?community=looms`)).toEqual(["From elsewhere"]);
      expect(await titles(`/feed.${format}?q=digest`)).toEqual(["A digest"]);
      expect(await titles(`/creators/native/ada_l/feed.${format}`)).toEqual([hostile]);
      expect(await titles(`/creators/native/ada_l/feed.${format}?q=nothing`)).toEqual([]);
    },
  );

  test.each(formats)("%s stays well-formed whatever is searched for", async (format) => {
    const { status, text } = await get(`/feed.${format}?q=%01%1B]]%3E%3Cb%3E`);
    expect(status).toBe(200);
    expect(text).not.toMatch(/(?![\t\n\r])\p{Cc}/u);
    expect(read(format, text)).toEqual([]);
  });

  test.each(formats)("%s leads on to its next page", async (format) => {
    const { text } = await get(`/feed.${format}?limit=1&sort=hot`);
    const [next = ""] = /http[^"]+cursor=\d+/.exec(text) ?? [];
    const page = await fetch(next.replaceAll("&amp;", "&"));
    expect(read(format, await page.text())).toHaveLength(1);
  });

  test.each(formats)("%s is sent once, and never contains another caller's data", async (format) => {
    const first = await get(`/feed.${format}`);
    const again = await get(`/feed.${format}`, { "if-none-match": String(first.headers.get("etag")) });
    expect([again.status, again.text]).toEqual([304, ""]);
    const cookie = String(ada.options.headers?.cookie);
    expect((await get(`/feed.${format}?saved=1`, { cookie })).status).toBe(401);
    expect((await get(`/feed.${format}?limit=51`)).status).toBe(400);
    expect((await get(`/creators/native/nobody/feed.${format}`)).status).toBe(404);
    expect((await get(`/creators/elsewhere/nobody/feed.${format}`)).status).toBe(400);
  });

  test("are named by the pages that show the same", async () => {
    for (const path of ["/?q=digest", "/creators/native/ada_l"]) {
      const { text } = await get(path, { accept: "text/html" });
      const found = [...text.matchAll(/<link rel="alternate" type="([^"]+)" title="[^"]+" href="([^"]+)">/g)];
      expect(found.map(([, type]) => type)).toEqual([
        "text/markdown",
        ...formats.map((format) => feedFormats[format].type),
      ]);
      for (const [, type, href = ""] of found)
        expect((await fetch(href.replaceAll("&amp;", "&"))).headers.get("content-type")).toContain(type);
    }
  });

  test("are read by another Tandem as what they are", async () => {
    await tandem.storage.write((tx) =>
      insertImportedPost(tx, {
        ...{ platform: "rss", author: "Show", title: "Episode" },
        ...{ audioUrl: "https://example.org/1?a=1", durationSeconds: 65 },
      }),
    );
    await using other = await startImports("sqlite");
    for (const format of formats)
      await other.admin.addSource({ url: `${tandem.baseUrl}/feed.${format}?limit=3` });
    await other.poll();
    const { sources } = await other.admin.listSources();
    expect(sources.map(({ state }) => state)).toEqual(["working", "working", "working"]);
    // Items are known by the same address in each format.
    const gathered = (await other.tandem.as.anonymous().listPosts()).posts;
    const labels = Object.fromEntries(
      gathered.map(({ title, provenance, provenanceBasis }) => [title, [provenance, provenanceBasis]]),
    );
    const episode = gathered.find(({ title }) => title === "Episode");
    expect(episode).toMatchObject({ audioUrl: "https://example.org/1?a=1", durationSeconds: 65 });
    expect(labels).toEqual({
      "A digest": ["ai_generated", "origin"],
      Episode: ["human", "assumed"],
      "From elsewhere": ["human", "assumed"],
    });
  });
});
