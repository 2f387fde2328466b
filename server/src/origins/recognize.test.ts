import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import { askOrigin } from "@tandem/testing/ask-origin";
import { Origin, type OriginResponse } from "@tandem/testing/origin";
import { describe, expect, test } from "vitest";
import { OriginError } from "./connector.ts";
import { connectors } from "./connectors.ts";
import { discover } from "./discover.ts";

test("each platform has its own connector", () => {
  for (const name of originNames) expect(connectors[name].platform).toBe(name);
});

describe("a URL is recognized in any form", () => {
  const channel = "UC0123456789-_0123456789";
  test.each<[OriginPlatform, string, string, ...string[]]>([
    [
      "reddit",
      "https://www.reddit.com/r/engines/new",
      "r/engines",
      "https://old.reddit.com/r/Engines/",
      "https://reddit.com/r/engines/new.rss",
    ],
    [
      "reddit",
      "https://www.reddit.com/r/engines/top",
      "r/engines",
      "https://www.reddit.com/r/engines/top/?t=day",
    ],
    [
      "reddit",
      "https://www.reddit.com/user/ada_l/submitted",
      "u/ada_l",
      "https://www.reddit.com/u/ada_l",
      "https://reddit.com/user/Ada_L/",
    ],
    [
      "lemmy",
      "https://lemmy.example/c/engines",
      "!engines@lemmy.example",
      "https://lemmy.example/c/engines/?sort=Hot",
    ],
    ["lemmy", "https://lemmy.example/c/engines@other.example", "!engines@other.example"],
    ["lemmy", "https://lemmy.example/", "lemmy.example"],
    ["piefed", "https://piefed.example/c/engines", "!engines@piefed.example"],
    [
      "mastodon",
      "https://social.example/tags/gr%C3%B6%C3%9Fe",
      "#größe",
      "https://social.example/tags/größe",
    ],
    ["mastodon", "https://social.example/@ada", "ada@social.example", "https://social.example/@ada/"],
    ["mastodon", "https://social.example/@bob@other.example", "bob@other.example"],
    [
      "mastodon",
      "https://social.example/public/local",
      "social.example",
      "https://social.example/",
      "https://social.example/explore",
    ],
    [
      "bluesky",
      "https://bsky.app/profile/ada.example",
      "@ada.example",
      "https://bsky.app/profile/ada.example/",
    ],
    ["bluesky", "https://bsky.app/profile/did:plc:abc/feed/engines", "engines"],
    ["hackernews", "https://news.ycombinator.com/news", "Hacker News", "https://news.ycombinator.com"],
    ["hackernews", "https://news.ycombinator.com/newest", "Hacker News: newest"],
    [
      "youtube",
      `https://www.youtube.com/feeds/videos.xml?channel_id=${channel}`,
      channel,
      `https://youtube.com/channel/${channel}/videos`,
    ],
    [
      "youtube",
      "https://www.youtube.com/feeds/videos.xml?playlist_id=PL0123456789",
      "PL0123456789",
      "https://m.youtube.com/playlist?list=PL0123456789",
    ],
    [
      "peertube",
      "https://video.example/c/wheels",
      "wheels@video.example",
      "https://video.example/video-channels/wheels/videos",
    ],
    [
      "peertube",
      "https://video.example/a/ada",
      "ada@video.example",
      "https://video.example/accounts/ada/video-channels",
    ],
    ["rss", "https://engines.example/feed", "engines.example", "https://engines.example/feed"],
  ])("%s: %s", (platform, url, name, ...others) => {
    for (const address of [url, ...others])
      expect(connectors[platform].recognize(new URL(address))).toMatchObject({ url, name });
  });

  test.each<[OriginPlatform, ...string[]]>([
    [
      "reddit",
      "https://reddit.com.evil.example/r/a",
      "https://www.reddit.com/",
      "https://www.reddit.com/r/a/comments/1/x/",
    ],
    [
      "lemmy",
      "https://lemmy.example/post/1",
      "https://lemmy.example/c/../x",
      "https://lemmy.example/c/a%2F..",
    ],
    [
      "mastodon",
      "https://social.example/@ada/111",
      "https://social.example/tags/a%2Fb",
      "https://social.example/%zz",
    ],
    [
      "bluesky",
      "https://bsky.app/profile/ada.example/post/3k",
      "https://bsky.example/profile/ada.example",
      "https://bsky.app/",
    ],
    ["hackernews", "https://news.ycombinator.com/item?id=1", "https://news.ycombinator.com/constructor"],
    [
      "youtube",
      "https://www.youtube.com/watch?v=abc",
      "https://www.youtube.com/@ada",
      "https://www.youtube.com/channel/UC",
    ],
    ["peertube", "https://video.example/w/abc", "https://video.example/constructor/ada"],
  ])("%s: not %s, …", (platform, ...addresses) => {
    for (const address of addresses)
      expect([address, connectors[platform].recognize(new URL(address))]).toEqual([address, null]);
  });
});

describe("discovery finds", () => {
  const feed =
    "<rss version='2.0'><channel><title>Engines</title><link>https://www.engines.example/</link></channel></rss>";
  const page = (...links: string[]) =>
    `<!doctype html><html><head><title>x</title>${links.join("")}</head></html>`;
  const alternate = (href: string, type = "application/rss+xml") =>
    `<link rel="alternate" type="${type}" href="${href}">`;

  async function found(given: string, shown: Record<string, string>) {
    await using origin = await Origin.start();
    for (const [path, body] of Object.entries(shown))
      origin.show(path, { body: body.replaceAll("ORIGIN", origin.url) });
    const { connector, place } = await discover(given.replace("ORIGIN", origin.url), askOrigin(origin));
    const paths = origin.requests.map(({ path }) => path);
    return {
      platform: connector.platform,
      ...place,
      url: place.url.replace(origin.url, "ORIGIN"),
      requests: paths,
    };
  }

  test("a platform by the URL alone, if possible", async () => {
    expect(await found(" www.reddit.com/r/engines ", {})).toMatchObject({ platform: "reddit", requests: [] });
  });

  test("a feed at the URL", async () => {
    expect(await found("ORIGIN/feed", { "/feed": feed })).toMatchObject({
      ...{ platform: "rss", url: "ORIGIN/feed", name: "Engines", community: "engines.example" },
    });
  });

  test("the first valid feed that a page links", async () => {
    const links = [
      alternate("/gone.xml"),
      alternate("http://10.0.0.1/feed.xml"),
      alternate("https://a:b@c.example/"),
      alternate("feed.xml"),
    ];
    const shown = { "/blog/": page(...links, alternate("/comments.xml")), "/blog/feed.xml": feed };
    expect(await found("ORIGIN/blog/", shown)).toMatchObject({ url: "ORIGIN/blog/feed.xml" });
  });

  test("links in all their forms", async () => {
    for (const link of [
      "<LINK REL='Alternate home' TYPE='application/atom+xml; charset=utf-8' HREF='/feed'>",
      alternate("/feed", "application/feed+json"),
      `<base href="/feeds/">${alternate("../feed", "text/xml")}`,
    ])
      expect(await found("ORIGIN/blog", { "/blog": page(link), "/feed": feed })).toMatchObject({
        url: "ORIGIN/feed",
      });
  });

  test("a link after very large scripts, as on video platforms", async () => {
    const youtube = "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789-_0123456789";
    const script = `<script>${"var nodeInfo = '<b>';".repeat(45_000)}</script>`;
    expect(script.length).toBeGreaterThan(700_000);
    const shown = { "/@ada": page(script, alternate(youtube)) };
    expect(await found("ORIGIN/@ada", shown)).toMatchObject({ platform: "youtube", url: youtube });
  });

  test("a source of another platform than the page's", async () => {
    const youtube = "https://www.youtube.com/feeds/videos.xml?channel_id=UC0123456789-_0123456789";
    const shown = { "/@ada": page(alternate(youtube)) };
    expect(await found("ORIGIN/@ada", shown)).toMatchObject({ platform: "youtube", url: youtube });
    const answered = { [youtube.replace("https:/", "")]: feed };
    expect(await found(youtube, answered)).toMatchObject({
      url: youtube,
      name: "Engines",
      community: "Engines",
    });
  });

  test.each<[OriginPlatform, string, string]>([
    ["mastodon", "/@ada", "Mastodon"],
    ["mastodon", "/", "gotosocial"],
    ["lemmy", "/c/engines", "lemmy"],
    ["piefed", "/c/engines", "PieFed"],
    ["peertube", "/c/engines", "peertube"],
  ])("a source of %s if the server at %s says that it runs %s", async (platform, path, name) => {
    const nodeInfo = {
      links: [{ rel: "http://nodeinfo.diaspora.software/ns/schema/2.0", href: "ORIGIN/ni" }],
    };
    const shown = {
      "/.well-known/nodeinfo": JSON.stringify(nodeInfo),
      "/ni": JSON.stringify({ version: "2.0", software: { name, version: "1" } }),
    };
    expect(await found(`ORIGIN${path}`, shown)).toMatchObject({ platform });
  });

  test("a feed if the server doesn't say what it runs, or refers to another server", async () => {
    const elsewhere = JSON.stringify({ links: [{ href: "http://other.example/ni" }] });
    for (const nodeInfo of ["", elsewhere, "<html>"])
      expect(await found("ORIGIN/", { "/.well-known/nodeinfo": nodeInfo, "/": feed })).toMatchObject({
        platform: "rss",
      });
  });

  test.each<[string, string, OriginResponse]>([
    ["a page without one", "neither a feed", { body: page() }],
    ["a page whose feeds are gone", "none of them can be read", { body: page(alternate("/gone.xml")) }],
    [
      "what is said to be one",
      "can't be parsed",
      { headers: { "content-type": "Application/RSS+XML" }, body: "<rss><chan" },
    ],
    ["a page that isn't there", "404", { status: 404 }],
  ])("nothing at %s, and says why: %s", async (_what, why, shown) => {
    await using origin = await Origin.start();
    const url = origin.show("/blog", shown);
    await expect(discover(url, askOrigin(origin))).rejects.toThrow(why);
  });

  test.each([
    "",
    "ftp://engines.example/",
    "http://",
    "javascript:alert(1)",
    "ORIGIN/nothing",
    "ORIGIN/page",
  ])("nothing at %j", async (given) => {
    await expect(found(given, { "/page": page() })).rejects.toThrow(OriginError);
  });
});
