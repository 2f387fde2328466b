import { readFileSync } from "node:fs";
import { askOrigin } from "@tandem/testing/ask-origin";
import { Origin } from "@tandem/testing/origin";
import { describe, expect, test } from "vitest";
import type { PollResult } from "./connector.ts";
import { connectors } from "./connectors.ts";

const NEW_YEAR = Date.parse("2026-01-01T00:00:00Z");
const fixture = (name: string) => readFileSync(new URL(`fixtures/${name}`, import.meta.url));

/** Polls a URL with these responses, by URL. */
async function pollWith(
  platform: keyof typeof connectors,
  address: string,
  responses: Record<string, string | Buffer>,
): Promise<PollResult> {
  await using origin = await Origin.start();
  for (const [url, body] of Object.entries(responses)) origin.show(url.replace("https:/", ""), { body });
  const connector = connectors[platform];
  const place = connector.recognize(new URL(address));
  if (!place) throw new Error(`${address} isn't recognized`);
  // The canonical URL, which is stored, is recognized as the same source.
  expect(connector.recognize(new URL(place.url))?.url).toBe(place.url);
  return await connector.poll(place, askOrigin(origin));
}

describe("reddit", () => {
  const listing = "https://www.reddit.com/r/engines/new.json?limit=100&raw_json=1";
  const feed = "https://www.reddit.com/r/engines/new.rss?limit=100";

  test("distinguishes texts, links, pictures, videos and GIFs", async () => {
    const { items, gone, complete } = await pollWith("reddit", "https://old.reddit.com/r/Engines/", {
      [listing]: fixture("reddit.json"),
    });
    expect(items.map(({ key, mediaType, mediaUrl }) => [key, mediaType, mediaUrl])).toEqual([
      ["t3_self1", "text", null],
      ["t3_link1", "link", "https://example.org/notes?utm=1"],
      ["t3_img1", "image", "https://i.redd.it/engine.jpeg"],
      ["t3_vid1", "video", "https://v.redd.it/abc/DASH_720.mp4?source=fallback"],
      ["t3_gif1", "gif", "https://preview.redd.it/round.gif?format=mp4"],
      ["t3_gal1", "image", "https://preview.redd.it/m1.jpg?s=3"],
      ["t3_adult1", "image", "https://i.redd.it/no.jpeg"],
    ]);
    expect(items.filter(({ sensitive }) => sensitive).map(({ key }) => key)).toEqual(["t3_adult1"]);
    expect(items[0]).toMatchObject({
      permalink: "https://www.reddit.com/r/engines/comments/self1/what_do_you_build/",
      author: "ada_l",
      body: "Tell us **everything**.\n\nhttps://example.org/list",
      community: "engines",
      score: 120,
      commentCount: 14,
      postedAt: NEW_YEAR,
    });
    expect(items[1]).toMatchObject({
      permalink: "https://www.reddit.com/r/engines/comments/link1/notes/",
      commentCount: 0,
    });
    expect(items[1]).toMatchObject({ thumbnailUrl: "https://external-preview.redd.it/a.jpg?s=1" });
    expect(items[3]).toMatchObject({ width: 1280, height: 720, durationSeconds: 12, thumbnailUrl: null });
    expect(items[5]).toMatchObject({ width: 800, height: 600, alt: "The first" });
    expect({ gone, complete }).toEqual({ gone: ["t3_gone1"], complete: true });
  });

  test("falls back to the feed if the listing is refused", async () => {
    const { items, brief } = await pollWith("reddit", "https://www.reddit.com/r/engines/new", {
      [listing]: "<html>You look like a robot.</html>",
      [feed]: fixture("reddit.xml"),
    });
    expect(items).toEqual([
      expect.objectContaining({
        key: "t3_self1",
        ...{ author: "ada_l", title: "What do you & yours build?", community: "engines" },
        body: "Tell us everything.",
        postedAt: NEW_YEAR,
        ...{ mediaType: "text", score: null, commentCount: null },
      }),
    ]);
    expect(brief).toBe(true);
  });

  test("finds the links of posts in that feed", async () => {
    const linking = String(fixture("reddit.xml")).replace(
      /[^;]*(&quot;&gt;\[link\])/,
      "https://a.example/$1",
    );
    const { items } = await pollWith("reddit", "https://old.reddit.com/r/engines/", {
      [listing]: "",
      [feed]: linking,
    });
    expect(items).toMatchObject([{ link: "https://a.example/", mediaType: "link" }]);
  });

  const own = "https://www.reddit.com/r/engines/comments/p1/title/";
  test.each([
    ["https://a.example/b_(c)?d=1&e=2", { mediaType: "link", link: "https://a.example/b_(c)?d=1&e=2" }],
    ["https://www.reddit.com/r/a/comments/b/c/", { link: "https://www.reddit.com/r/a/comments/b/c/" }],
    ["https://www.reddit.com/gallery/p1", { mediaType: "text", link: null }],
    [own, { mediaType: "text", link: null }],
    ["https://i.redd.it/b.jpeg", { mediaType: "image", mediaUrl: "https://i.redd.it/b.jpeg", link: null }],
    ["http://i.imgur.com/b.png?1", { mediaType: "image", mediaUrl: "https://i.imgur.com/b.png" }],
    ["https://imgur.com/b.jpg", { mediaType: "image", mediaUrl: "https://i.imgur.com/b.jpg" }],
    ["https://i.imgur.com/b.gifv", { mediaType: "gif", mediaUrl: "https://i.imgur.com/b.mp4" }],
    ["https://imgur.com/a/b", { mediaType: "link", link: "https://imgur.com/a/b" }],
    ["https://imgur.com/b", { mediaType: "link", link: "https://imgur.com/b" }],
  ])("finds a post's target in that feed and in the listing: %s", async (url, expected) => {
    const anchor = (to: string, inner: string) => `<a href="${to.replaceAll("&", "&amp;")}">${inner}</a>`;
    const html = `<table><tr><td> ${anchor(own, ' <img src="https://b.example/t.jpg" alt="T" /> ')} </td><td> &#32;
      submitted by &#32; ${anchor("https://www.reddit.com/user/ada", " /u/ada ")} <br/>
      <span>${anchor(url, "[link]")}</span> &#32; <span>${anchor(own, "[comments]")}</span> </td></tr></table>`;
    const entry = `<entry><id>t3_p1</id><title>Title</title><link href="${own}" /><content type="html"><![CDATA[${html}]]></content></entry>`;
    const post = {
      name: "t3_p1",
      title: "Title",
      permalink: own,
      url,
      is_gallery: url.includes("/gallery/"),
    };
    const data = { ...post, is_self: url === own, post_hint: url.endsWith(".jpeg") ? "image" : "link" };
    const polls: Record<string, string>[] = [
      { [listing]: "", [feed]: `<feed xmlns="http://www.w3.org/2005/Atom">${entry}</feed>` },
      { [listing]: JSON.stringify({ data: { children: [{ data }] } }) },
    ];
    for (const responses of polls) {
      const { items } = await pollWith("reddit", "https://old.reddit.com/r/engines/", responses);
      expect(items).toMatchObject([{ title: "Title", body: null, permalink: own, ...expected }]);
    }
  });
});

test("the options of a poll are lines of the text", async () => {
  const [options, choices] = [
    [{ text: "Steam" }, { text: "Wind" }],
    [{ title: "Steam" }, { title: "Wind" }],
  ];
  const [status] = JSON.parse(fixture("mastodon.json").toString());
  const toot = { ...status, content: "<p>Which?</p>", poll: { options: choices } };
  const self = { name: "t3_1", title: "Poll", selftext: "Which?", is_self: true, poll_data: { options } };
  const { posts } = JSON.parse(fixture("piefed.json").toString());
  const post = {
    ...posts[0].post,
    body: "Which?",
    poll: { choices: [{ choice_text: "Steam" }, { choice_text: "Wind" }] },
  };
  for (const [platform, address, url, response] of [
    ["mastodon", "https://a.example/tags/b", "https://a.example/api/v1/timelines/tag/b?limit=40", [toot]],
    [
      ...(["reddit", "https://www.reddit.com/r/engines"] as const),
      "https://www.reddit.com/r/engines/new.json?limit=100&raw_json=1",
      { data: { children: [{ data: self }] } },
    ],
    [
      ...(["piefed", "https://a.example/"] as const),
      "https://a.example/api/alpha/post/list?type_=Local&sort=New&ignore_sticky=true&limit=50",
      { posts: [{ ...posts[0], post }] },
    ],
  ] as const) {
    const { items } = await pollWith(platform, address, { [url]: JSON.stringify(response) });
    expect(items.map(({ body }) => body)).toEqual(["Which?\n\n- Steam\n- Wind"]);
  }
});

describe("lemmy", () => {
  const where = "community_name=engines&";
  test.each([
    ["v3", `https://lemmy.example/api/v3/post/list?${where}sort=New&limit=50`, "lemmy-v3.json"],
    ["v4", `https://lemmy.example/api/v4/post/list?${where}sort=new&limit=50`, "lemmy-v4.json"],
  ])("supports %s", async (_, url, name) => {
    const { items } = await pollWith("lemmy", "https://lemmy.example/c/engines", { [url]: fixture(name) });
    expect(items[0]).toEqual({
      key: "https://lemmy.example/post/1",
      permalink: "https://lemmy.example/post/1",
      link: "https://example.org/engines",
      author: "ada@lemmy.example",
      authorAvatarUrl: "https://lemmy.example/pictrs/image/ada.webp",
      title: "On engines",
      body: "Worth *reading*.",
      mediaType: "link",
      mediaUrl: "https://example.org/engines",
      audioUrl: null,
      thumbnailUrl: "https://lemmy.example/pictrs/image/t.webp",
      width: null,
      height: null,
      durationSeconds: null,
      alt: null,
      pictures: [],
      contentWarning: null,
      sensitive: false,
      community: "engines",
      score: 17,
      commentCount: 4,
      thread: null,
      provenance: null,
      postedAt: NEW_YEAR + 123,
    });
  });

  test("imports pictures, reports deleted posts, and marks restricted ones", async () => {
    const { items, gone } = await pollWith("lemmy", "https://lemmy.example/", {
      "https://lemmy.example/api/v3/post/list?sort=New&limit=50&type_=Local": fixture("lemmy-v3.json"),
    });
    expect(items.map(({ sensitive }) => sensitive)).toEqual([false, false, true]);
    expect(items[1]).toMatchObject({ mediaType: "image", alt: "An engine", author: "bob@other.example" });
    expect(items[1]).toMatchObject({ score: -2, link: null, provenance: "ai_generated" });
    expect(gone).toEqual(["https://other.example/post/8"]);
  });
});

test("PieFed says of posts, and of accounts, whether they are AI", async () => {
  const list = "https://piefed.example/api/alpha/post/list";
  const order = "sort=New&ignore_sticky=true&limit=50";
  const { items, gone, complete } = await pollWith("piefed", "https://piefed.example/c/engines", {
    [`${list}?community_name=engines&${order}`]: fixture("piefed.json"),
  });
  expect(items[0]).toEqual({
    key: "https://piefed.example/post/11",
    permalink: "https://piefed.example/post/11",
    link: "https://example.org/engines",
    author: "ada@piefed.example",
    authorAvatarUrl: "https://media.piefed.example/users/ada.webp",
    title: "On engines",
    body: "Worth *reading*.",
    mediaType: "link",
    mediaUrl: "https://example.org/engines",
    audioUrl: null,
    thumbnailUrl: "https://media.piefed.example/posts/t.webp",
    width: null,
    height: null,
    durationSeconds: null,
    alt: null,
    pictures: [],
    contentWarning: null,
    sensitive: false,
    community: "engines",
    score: 17,
    commentCount: 0,
    thread: null,
    provenance: null,
    postedAt: NEW_YEAR + 123,
  });
  expect(items.slice(1)).toMatchObject([
    {
      ...{ mediaType: "image", mediaUrl: "https://media.piefed.example/posts/p.webp", link: null },
      ...{ width: 1024, height: 768, alt: "An engine", provenance: "ai_generated" },
    },
    { mediaType: "link", link: "https://video.example/w/abc", provenance: "ai_generated", score: -1 },
    { mediaType: "text", title: "Which one?", author: "dan@other.example", provenance: null },
    { author: "dan@other.example", sensitive: true },
  ]);
  expect({ gone, complete }).toEqual({ gone: ["https://piefed.example/post/7"], complete: true });
  const whole = await pollWith("piefed", "https://piefed.example/", {
    [`${list}?type_=Local&${order}`]: fixture("piefed.json"),
  });
  expect(whole.items).toEqual(items);
});

describe("mastodon", () => {
  const server = "https://social.example";

  test("takes attachments of unknown types for none", async () => {
    const media_attachments = [{ type: "constructor", url: `${server}/media/1` }];
    const status = {
      uri: "1",
      visibility: "public",
      content: "Steam",
      account: { acct: "ada" },
      media_attachments,
    };
    const url = `${server}/api/v1/timelines/tag/engines?limit=40`;
    const { items } = await pollWith("mastodon", `${server}/tags/engines`, {
      [url]: JSON.stringify([status]),
    });
    expect(items).toMatchObject([{ mediaType: "text", mediaUrl: null }]);
  });

  test.each([
    ["a hashtag", `${server}/tags/engines`, `${server}/api/v1/timelines/tag/engines?limit=40`],
    ["a server", `${server}/`, `${server}/api/v1/timelines/public?local=true&limit=40`],
  ])("imports posts of %s", async (_, address, url) => {
    const { items } = await pollWith("mastodon", address, { [url]: fixture("mastodon.json") });
    expect(items).toMatchObject([
      {
        key: "https://social.example/users/ada/statuses/111",
        author: "ada@social.example",
        title: null,
        body: "On #engines, by @bob:\n\nhttps://example.org/engines/notes",
        mediaType: "link",
        link: "https://example.org/engines/notes",
        audioUrl: "https://social.example/media/steam.mp3",
        durationSeconds: 12.5,
        score: 21,
        commentCount: 2,
        provenance: null,
        postedAt: NEW_YEAR,
      },
      {
        permalink: "https://other.example/@bob/9",
        author: "bob@other.example",
        body: "It turns\nand turns",
        mediaType: "gif",
        mediaUrl: "https://social.example/media/turns.mp4",
        thumbnailUrl: "https://social.example/media/turns.png",
        width: 320,
        durationSeconds: 3.5,
        alt: "A wheel that turns",
        provenance: "ai_generated",
      },
      { body: "All the details", mediaType: "image", contentWarning: "Accident", sensitive: true },
    ]);
  });

  test.each([
    [true, "", null],
    [true, "Accident", "Accident"],
    [false, "Accident", "Accident"],
  ])(
    "keeps the mark %j of sensitive posts, and the warning %j",
    async (sensitive, warning, contentWarning) => {
      const statuses = JSON.parse(fixture("mastodon.json").toString());
      const status = { ...statuses[1], sensitive, spoiler_text: warning, content: "<p>Ouch</p>" };
      const { items } = await pollWith("mastodon", `${server}/tags/engines`, {
        [`${server}/api/v1/timelines/tag/engines?limit=40`]: JSON.stringify([status]),
      });
      expect(items).toMatchObject([{ body: "Ouch", mediaType: "gif", contentWarning, sensitive }]);
    },
  );

  test("imports an account's posts", async () => {
    const which = "exclude_replies=true&exclude_reblogs=true&limit=40";
    const { items, complete } = await pollWith("mastodon", `${server}/@ada`, {
      [`${server}/api/v1/accounts/lookup?acct=ada`]: '{"id":"1","username":"ada"}',
      [`${server}/api/v1/accounts/1/statuses?${which}`]: fixture("mastodon.json"),
    });
    expect({ found: items.length, complete }).toEqual({ found: 3, complete: true });
    expect(items[0]?.community).toBeNull();
  });
});

test("a list with an out-of-order post counts as incomplete", async () => {
  const address = "https://social.example/api/v1/timelines/tag/engines?limit=40";
  const statuses = JSON.parse(fixture("mastodon.json").toString());
  const gatherFrom = (list: unknown) =>
    pollWith("mastodon", "https://social.example/tags/engines", { [address]: JSON.stringify(list) });
  expect((await gatherFrom(statuses)).complete).toBe(true);
  const late = { ...statuses[1], created_at: "2025-06-01T00:00:00Z" };
  expect((await gatherFrom([statuses[0], late, statuses[2]])).complete).toBe(false);
});

describe("bluesky", () => {
  const view = "https://public.api.bsky.app/xrpc";

  test("imports an account's posts with full URLs", async () => {
    const which = "actor=ada.example&filter=posts_no_replies&limit=50";
    const { items } = await pollWith("bluesky", "https://bsky.app/profile/ada.example", {
      [`${view}/app.bsky.feed.getAuthorFeed?${which}`]: fixture("bluesky.json"),
    });
    expect(items).toMatchObject([
      {
        permalink: "https://bsky.app/profile/ada.example/post/3k1",
        author: "ada.example",
        body: "Größe matters: https://example.org/notes/on-engines",
        mediaType: "link",
        thumbnailUrl: "https://cdn.bsky.app/img/feed_thumbnail/n@jpeg",
        score: 33,
        commentCount: 2,
        provenance: null,
        postedAt: NEW_YEAR,
      },
      { mediaType: "image", width: 1600, height: 900, alt: "An engine", provenance: "ai_generated" },
      {
        mediaType: "video",
        mediaUrl: "https://video.bsky.app/watch/did/bafyv/playlist.m3u8",
        alt: null,
        provenance: null,
        sensitive: false,
      },
      { body: "Labelled", sensitive: true },
    ]);
    expect(items).toHaveLength(4);
  });

  test("imports the posts of a feed generator", async () => {
    const feed = encodeURIComponent("at://did:plc:ada/app.bsky.feed.generator/engines");
    const { items, complete } = await pollWith(
      "bluesky",
      "https://bsky.app/profile/ada.example/feed/engines",
      {
        [`${view}/com.atproto.identity.resolveHandle?handle=ada.example`]: '{"did":"did:plc:ada"}',
        [`${view}/app.bsky.feed.getFeed?feed=${feed}&limit=50`]: fixture("bluesky.json"),
      },
    );
    expect(items[0]?.community).toBe("engines");
    expect(complete).toBe(false);
  });
});

test("hackernews imports a list story by story", async () => {
  const responses = Object.entries(JSON.parse(fixture("hackernews.json").toString())).map(
    ([path, body]): [string, string] => [`https://hacker-news.firebaseio.com${path}`, JSON.stringify(body)],
  );
  const found = await pollWith("hackernews", "https://news.ycombinator.com/", Object.fromEntries(responses));
  expect(found).toMatchObject({ gone: ["103", "104"], complete: false, unchanged: false });
  expect(found.items).toMatchObject([
    {
      key: "101",
      permalink: "https://news.ycombinator.com/item?id=101",
      link: "https://example.org/notes",
      author: "ada",
      mediaType: "link",
      community: "news",
      score: 99,
      commentCount: 12,
      postedAt: NEW_YEAR,
    },
    { key: "102", mediaType: "text", body: "What do you run?\n\nI run https://example.org/" },
  ]);
});

test("youtube imports a channel's videos", async () => {
  const feed = "https://www.youtube.com/feeds/videos.xml?channel_id=UCaaaaaaaaaaaaaaaaaaaaaa";
  const { items } = await pollWith("youtube", "https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa", {
    [feed]: fixture("youtube.xml"),
  });
  expect(items).toEqual([
    expect.objectContaining({
      key: "yt:video:abcdefghijk",
      permalink: "https://www.youtube.com/watch?v=abcdefghijk",
      author: "The Engine Hour",
      title: "How it & why it turns",
      body: "All about wheels.\nSee https://example.org/wheels",
      mediaType: "video",
      mediaUrl: "https://www.youtube-nocookie.com/embed/abcdefghijk",
      thumbnailUrl: "https://i1.ytimg.com/vi/abcdefghijk/hqdefault.jpg",
      community: "The Engine Hour",
      score: 321,
      commentCount: null,
      postedAt: NEW_YEAR,
    }),
  ]);
});

test("peertube imports a channel's videos", async () => {
  const api = "https://video.example/api/v1/video-channels/wheels/videos";
  const { items } = await pollWith("peertube", "https://video.example/c/wheels/videos", {
    [`${api}?sort=-publishedAt&count=50&nsfw=both`]: fixture("peertube.json"),
  });
  expect(items).toEqual([
    expect.objectContaining({
      author: "ada@video.example",
      authorAvatarUrl: "https://video.example/lazy-static/avatars/120.png",
      title: "How it turns",
      mediaType: "video",
      mediaUrl: "https://video.example/videos/embed/abc",
      thumbnailUrl: "https://video.example/lazy-static/previews/p.jpg",
      durationSeconds: 301,
      community: "wheels@video.example",
      score: 9,
      commentCount: 3,
      sensitive: false,
      postedAt: NEW_YEAR,
    }),
    expect.objectContaining({ title: "Not for everybody", sensitive: true }),
  ]);
});

describe("feeds", () => {
  const address = "https://engines.example/feed";

  test("of RSS", async () => {
    const found = await pollWith("rss", address, { [address]: fixture("rss.xml") });
    expect(found).toMatchObject({ complete: true, askAgainAfter: 21_600 });
    expect(found.items).toMatchObject([
      {
        key: "engines.example https://www.engines.example/?p=1",
        permalink: "https://www.engines.example/notes",
        link: "https://www.engines.example/notes",
        author: "Ada Lovelace@engines.example",
        title: "Notes – on engines",
        body: "At length (https://www.engines.example/length).",
        mediaType: "link",
        thumbnailUrl: "https://www.engines.example/wp/engine.jpg?a=1&b=2",
        community: "engines.example",
        commentCount: 5,
        thread: "https://www.engines.example/notes#comments",
        postedAt: NEW_YEAR,
      },
      {
        author: "Engine Weekly@engines.example",
        body: "We talk & talk.",
        mediaType: "video",
        mediaUrl: "https://www.engines.example/1.mp4",
        thumbnailUrl: "https://www.engines.example/1.jpg",
        commentCount: null,
        thread: null,
      },
    ]);
  });

  test("of Atom", async () => {
    const { items } = await pollWith("rss", address, { [address]: fixture("atom.xml") });
    expect(items).toMatchObject([
      {
        key: "engines.example urn:uuid:1225c695-cfb8-4ebb-aaaa-80da344efa6a",
        permalink: "https://engines.example/blog/notes",
        author: "Ada@engines.example",
        title: "Notes & more",
        body: "At length (https://engines.example/blog/length).",
        thumbnailUrl: "https://engines.example/blog/notes.png",
        commentCount: 7,
        thread: "https://engines.example/blog/notes#comments",
        postedAt: NEW_YEAR,
      },
    ]);
  });

  test("of RDF", async () => {
    const found = await pollWith("rss", address, { [address]: fixture("rdf.xml") });
    expect(found.askAgainAfter).toBe(3600);
    expect(found.items).toMatchObject([
      { author: "Ada@engines.example", title: "Größe", postedAt: NEW_YEAR },
    ]);
  });

  test("of JSON", async () => {
    const { items } = await pollWith("rss", address, { [address]: fixture("feed.json") });
    expect(items).toMatchObject([
      {
        author: "Ada@engines.example",
        authorAvatarUrl: "https://engines.example/ada.png",
        body: "At length (https://engines.example/length).",
        thumbnailUrl: "https://engines.example/1.png",
        postedAt: NEW_YEAR,
      },
      { key: "engines.example 2", title: null, body: "Just a word.", mediaType: "text", permalink: null },
    ]);
  });

  const rss = (items: string, head = "") =>
    `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:dc="http://purl.org/dc/elements/1.1/"
      xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"
      xmlns:dcterms="http://purl.org/dc/terms/"><channel><title>Engines</title>${head}${items}</channel></rss>`;
  const atom = (entries: string) =>
    `<feed xmlns="http://www.w3.org/2005/Atom"><title>Engines</title>${entries}</feed>`;
  const time = (i: number) => new Date(NEW_YEAR + i * 60_000).toUTCString();

  test.each([
    ["oldest first", (i: number) => `<pubDate>${time(i)}</pubDate>`, 150],
    ["in any order", (i: number) => `<pubDate>${time((i * 7919) % 6000)}</pubDate>`, 5999],
    ["newest first", (i: number) => `<pubDate>${time(6000 - i)}</pubDate>`, 0],
    ["without dates", () => "", 0],
  ])("with more items than are imported show the newest, %s", async (_, date, newest) => {
    const count = newest === 150 ? 151 : 6000;
    const list = Array.from(
      { length: count },
      (_, i) => `<item><guid>${i}</guid><title>${i}</title>${date(i)}</item>`,
    );
    const { items, complete } = await pollWith("rss", address, { [address]: rss(list.join("")) });
    const titles = items.map(({ title }) => Number(title));
    expect({ found: items.length, complete }).toEqual({ found: 100, complete: false });
    const times = list.map(
      (one, i) => [Date.parse(/pubDate>([^<]*)</.exec(one)?.[1] ?? "") || -i, i] as const,
    );
    const expected = times
      .toSorted(([a], [b]) => b - a)
      .slice(0, 100)
      .map(([, i]) => i);
    expect(new Set(titles)).toEqual(new Set(expected));
  });

  test("keep items without a date beside their neighbours", async () => {
    const list = Array.from({ length: 150 }, (_, i) => {
      return `<item><guid>${i}</guid><title>${i}</title>${i % 2 ? "" : `<pubDate>${time(i)}</pubDate>`}</item>`;
    });
    const { items } = await pollWith("rss", address, { [address]: rss(list.join("")) });
    expect(items.map(({ title }) => Number(title))).toEqual(Array.from({ length: 100 }, (_, i) => i + 50));
  });

  test.each([
    ["itunes:summary", rss("<item><title>a</title><itunes:summary>b</itunes:summary></item>")],
    ["itunes:title", rss("<item><itunes:title>a</itunes:title><itunes:subtitle>b</itunes:subtitle></item>")],
    [
      "dc:title and dc:description",
      rss("<item><dc:title>a</dc:title><dc:description>b</dc:description></item>"),
    ],
    [
      "atom:title and atom:summary",
      rss("<item><atom:title>a</atom:title><atom:summary>b</atom:summary></item>"),
    ],
    [
      "a description longer than the content",
      rss("<item><title>a</title><description>b</description><content:encoded> </content:encoded></item>"),
    ],
    [
      "content longer than the description",
      rss("<item><title>a</title><description></description><content:encoded>b</content:encoded></item>"),
    ],
    [
      "a summary longer than the description",
      rss("<item><title>a</title><description/><itunes:summary>b</itunes:summary></item>"),
    ],
    [
      ...(["dc:title in RDF"] as const),
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/><item><dc:title>a</dc:title><dc:description>b</dc:description></item></rdf:RDF>`,
    ],
    [
      "an example of RSS in Atom",
      atom("<entry><title>a</title><content type='html'><![CDATA[b<!-- <rss v='2'> -->]]></content></entry>"),
    ],
    [
      ...(["RSS in Atom's namespace"] as const),
      '<rss version="2.0" xmlns="http://www.w3.org/2005/Atom"><channel><item><title>a</title><description>b</description></item></channel></rss>',
    ],
    ...["1.0", "https://jsonfeed.org/1.1", "", 1].map((version): [string, string] => [
      `JSON of version ${version}`,
      JSON.stringify({ version, title: "Engines", items: [{ id: 1, title: "a", content_text: "b" }] }),
    ]),
    ["JSON without a title", '{"version": "jsonfeed 1.1", "items": [{ "title": "a", "summary": "b" }]}'],
  ])("can have %s", async (_, body) => {
    const { items } = await pollWith("rss", address, { [address]: body });
    expect(items).toMatchObject([{ title: "a", body: "b" }]);
  });

  test.each([
    [
      "a part of an Atom entry",
      atom(
        `<entry><title>a</title><content type="html" xml:base="https://b.example/c/">&lt;a href="d">x&lt;/a></content></entry>`,
      ),
    ],
    [
      "an RSS item",
      rss(
        `<item xml:base="https://b.example/c/"><title>a</title><description>&lt;a href="d">x&lt;/a></description></item>`,
      ),
    ],
    [
      "RSS",
      rss("<item><title>a</title><description>&lt;a href='d'>x&lt;/a></description></item>").replace(
        "<rss",
        '<rss xml:base="https://b.example/c/"',
      ),
    ],
  ])("can have an xml:base for %s", async (_, body) => {
    const { items } = await pollWith("rss", address, { [address]: body });
    expect(items).toMatchObject([{ body: "x (https://b.example/c/d)" }]);
  });

  test("use the page of an item among its Atom links", async () => {
    const links = '<atom:link rel="replies" href="/replies"/><atom:link rel="alternate" href="/page"/>';
    const { items } = await pollWith("rss", address, {
      [address]: rss(`<item><title>a</title>${links}</item>`),
    });
    expect(items).toMatchObject([{ link: "https://engines.example/page" }]);
  });

  test.each([
    ["wrapped RSS items", rss("<items><item><title>a</title></item></items>")],
    [
      "items of a second channel",
      "<rss version='2.0'><channel><title>b</title></channel><channel><item><title>a</title></item></channel></rss>",
    ],
    ["items that are no objects", '{"title": "Engines", "items": ["a"]}'],
    ["wrapped Atom entries", atom("<entries><entry><title>a</title></entry></entries>")],
  ])("whose items can't be found don't work: %s", async (_, body) => {
    const polled = pollWith("rss", address, { [address]: body });
    await expect(polled).rejects.toThrow("The feed's entries aren't where its format has them.");
  });

  test("can be empty, even if they mention items", async () => {
    const mention = "<description><![CDATA[<item>]]></description><!-- <item> -->";
    const { items, complete } = await pollWith("rss", address, { [address]: rss("", mention) });
    expect({ items, complete }).toEqual({ items: [], complete: true });
  });

  test("of podcasts", async () => {
    const { items } = await pollWith("rss", address, { [address]: fixture("podcast.xml") });
    const cover = "https://engines.example/cover.jpg";
    const page = (number: number) => `https://engines.example/episodes/${number}`;
    expect(
      items.map(({ title, mediaType, mediaUrl, audioUrl, durationSeconds, thumbnailUrl }) => [
        ...[title, mediaType, mediaUrl, audioUrl, durationSeconds, thumbnailUrl],
      ]),
    ).toEqual([
      [
        ...["With a page", "link", page(6), "https://stats.example/6.mp3?from=feed", 3723],
        "https://engines.example/6.jpg",
      ],
      ["Without a page", "link", "https://cdn.example/5.M4A", "https://cdn.example/5.M4A", 123, cover],
      [null, "link", "https://cdn.example/4.opus", "https://cdn.example/4.opus", 95, cover],
      ["In several forms", "link", page(3), "https://cdn.example/3.mp3", null, cover],
      [
        ...["A picture with sound", "image", "https://cdn.example/2.jpg", "https://cdn.example/2", 30],
        "https://cdn.example/2.jpg",
      ],
      ["A video with sound", "video", "https://cdn.example/1.mp4", "https://cdn.example/1.mp3", 61, cover],
      ["No sound", "link", "https://engines.example/0", null, null, null],
    ]);
    expect(items[1]).toMatchObject({ link: "https://cdn.example/5.M4A", permalink: null });
  });

  test.each([
    [
      "Atom",
      `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>1</id><title>A</title>
        <link href="https://engines.example/1"/><link rel="enclosure" type="Audio/MPEG" href="1.mp3"/></entry></feed>`,
      { audioUrl: "https://engines.example/1.mp3", durationSeconds: null },
    ],
    [
      "JSON",
      `{"version":"https://jsonfeed.org/version/1.1","title":"A","icon":"/a.png","items":[{"id":"1","content_text":"",
        "attachments":[{"url":"https://a.example/1.FLAC","mime_type":"audio/flac","duration_in_seconds":9.5}]}]}`,
      {
        audioUrl: "https://a.example/1.FLAC",
        durationSeconds: 9.5,
        thumbnailUrl: "https://engines.example/a.png",
      },
    ],
  ])("%s entries have their audio", async (_, feed, expected) => {
    const { items } = await pollWith("rss", address, { [address]: feed });
    expect(items).toMatchObject([{ mediaType: "link", ...expected }]);
  });

  // Another key would import known entries again, and delete the posts that have comments.
  test.each([
    [
      "RSS",
      rss(
        "<item><title>A</title><description>B</description><pubDate>Fri, 01 May 2026 00:00:00 GMT</pubDate></item>",
      ),
      "2a047a274512607b24cac34a07631fc830ee62b4263fc6b8a29048f478e13cf9",
    ],
    [
      "RDF",
      `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/"><channel/><item><title>A</title><description>B</description>
        <dc:date>2026-05-01</dc:date></item></rdf:RDF>`,
      "b773eab5cfc6a0807de30b361169fb039c41f2874b6bbe4c5a9c5238199b9bd5",
    ],
  ])("%s entries without id and link keep their key", async (_, body, hash) => {
    const { items } = await pollWith("rss", address, { [address]: body });
    expect(items).toMatchObject([{ key: `engines.example ${hash}` }]);
  });

  test("entries with nothing but audio and no id are known by it", async () => {
    const entry = (name: string) =>
      `<item><enclosure url="https://a.example/${name}" type="audio/mpeg"/></item>`;
    const feed = `<rss version="2.0"><channel><title>A</title>${entry("1")}${entry("2")}</channel></rss>`;
    const { items } = await pollWith("rss", address, { [address]: feed });
    expect(new Set(items.map(({ key }) => key)).size).toBe(2);
  });
});
