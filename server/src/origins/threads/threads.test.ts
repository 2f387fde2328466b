import { readFileSync } from "node:fs";
import { limits } from "@tandem/contract/limits";
import type { ThreadPlatform } from "@tandem/contract/origins";
import { askOrigin } from "@tandem/testing/ask-origin";
import { Origin } from "@tandem/testing/origin";
import { expect, test } from "vitest";
import { OriginError } from "../connector.ts";
import { readThread } from "./threads.ts";

const fixture = (platform: string) =>
  readFileSync(new URL(`fixtures/${platform}.json`, import.meta.url), "utf8");

/** Reads a thread with these responses, by host and path. */
async function readWith(platform: ThreadPlatform, url: string, responses: Record<string, string>) {
  await using origin = await Origin.start();
  for (const [path, body] of Object.entries(responses)) origin.show(`/${path}`, { body });
  return await readThread(platform, url, askOrigin(origin));
}

type Case = [
  platform: ThreadPlatform,
  url: string,
  requests: string[],
  comments: { author: string; depth: number; body: string; score: number | null; bot?: true; url: string }[],
];

const lemmy = "post_id=1&limit=50&max_depth=8";
const cases: Case[] = [
  [
    "reddit",
    "https://www.reddit.com/r/engines/comments/link1/notes/",
    ["www.reddit.com/comments/link1.json?sort=confidence&limit=100&raw_json=1"],
    [
      {
        author: "mary_s",
        depth: 0,
        body: "Well **said**.",
        score: 41,
        url: "https://www.reddit.com/r/engines/comments/link1/notes/k1/",
      },
      {
        author: "bob",
        depth: 1,
        body: "Why?",
        score: null,
        url: "https://www.reddit.com/r/engines/comments/link1/notes/k3/",
      },
    ],
  ],
  [
    "lemmy",
    "https://lemmy.example/post/1",
    [`lemmy.example/api/v3/comment/list?${lemmy}&sort=Hot&type_=All`],
    [
      {
        author: "mary@other.example",
        depth: 0,
        body: "Well *said*.",
        score: 5,
        url: "https://lemmy.example/comment/12",
      },
      {
        author: "dan@lemmy.example",
        depth: 1,
        body: "Why?",
        score: 1,
        url: "https://lemmy.example/comment/56",
      },
      {
        author: "summary@lemmy.example",
        depth: 0,
        body: "I am a bot.",
        score: -3,
        bot: true,
        url: "https://lemmy.example/comment/34",
      },
    ],
  ],
  [
    "piefed",
    "https://piefed.example/post/11",
    ["piefed.example/api/alpha/comment/list?post_id=11&sort=Hot&limit=50&max_depth=8"],
    [
      {
        author: "mary@piefed.example",
        depth: 0,
        body: "Well *said*.",
        score: 5,
        bot: true,
        url: "https://piefed.example/comment/21",
      },
    ],
  ],
  [
    "mastodon",
    "https://social.example/@ada/111",
    ["social.example/api/v1/statuses/111/context"],
    [
      {
        author: "mary@social.example",
        depth: 0,
        body: "Well said.",
        score: 4,
        url: "https://social.example/@mary/201",
      },
      {
        author: "bot@other.example",
        depth: 1,
        body: "Spoiler",
        score: 0,
        bot: true,
        url: "https://other.example/@bot/9",
      },
    ],
  ],
  [
    "bluesky",
    "https://bsky.app/profile/ada.example/post/3k1",
    [
      `public.api.bsky.app/xrpc/app.bsky.feed.getPostThread?uri=${encodeURIComponent("at://ada.example/app.bsky.feed.post/3k1")}&depth=8&parentHeight=0`,
    ],
    [
      {
        author: "mary.example",
        depth: 0,
        body: "Well said.",
        score: 6,
        url: "https://bsky.app/profile/mary.example/post/3k2",
      },
      {
        author: "bot.example",
        depth: 1,
        body: "Indeed.",
        score: 0,
        bot: true,
        url: "https://bsky.app/profile/bot.example/post/3k3",
      },
    ],
  ],
  [
    "peertube",
    "https://video.example/w/abcdefghijkl",
    ["video.example/api/v1/videos/abcdefghijkl/comment-threads?sort=-totalReplies&count=100"],
    [
      {
        author: "mary@video.example",
        depth: 0,
        body: "Well said.",
        score: null,
        url: "https://video.example/videos/watch/abc;threadId=7",
      },
    ],
  ],
];

test.each(cases)(
  "%s: the comments in its order, without those that aren't for everyone",
  async (platform, url, requests, expected) => {
    const comments = await readWith(
      platform,
      url,
      Object.fromEntries(requests.map((path) => [path, fixture(platform)])),
    );
    expect(comments).toEqual(
      expected.map(({ bot, ...comment }) => ({
        ...comment,
        postedAt: expect.stringMatching(/^2026-01-01T00:0\d:00\.\d{3}Z$/),
        provenance: bot ? "ai_generated" : null,
      })),
    );
  },
);

test("hackernews: the whole thread in two requests, in the order of its own page", async () => {
  const shown = Object.entries(JSON.parse(fixture("hackernews"))).map(([path, body]): [string, string] => [
    path.slice(1),
    JSON.stringify(body),
  ]);
  const comments = await readWith(
    "hackernews",
    "https://news.ycombinator.com/item?id=101",
    Object.fromEntries(shown),
  );
  expect(comments).toMatchObject([
    { author: "mary", depth: 0, body: "Well said: https://example.org/", score: null },
    { author: "dan", depth: 1, body: "Indeed.", url: "https://news.ycombinator.com/item?id=204" },
    { author: "bob", depth: 0, postedAt: "2026-01-01T00:01:00.000Z" },
  ]);
});

test("Lemmy without v3 is asked by v4, and Reddit that refuses JSON for its feed", async () => {
  const v4 = JSON.parse(fixture("lemmy")).comments.slice(0, 1);
  const path = `lemmy.example/api/v4/comment/list?${lemmy}&sort=hot&type_=all`;
  expect(
    await readWith("lemmy", "https://lemmy.example/post/1", { [path]: JSON.stringify({ items: v4 }) }),
  ).toHaveLength(1);
  const entry = (id: string, text: string) =>
    `<entry><id>${id}</id><author><name>/u/mary_s</name></author><title>x</title><updated>2026-01-01T00:00:00Z</updated>
    <link href="https://www.reddit.com/r/engines/comments/a/x/${id}/"/><content type="html">&lt;p&gt;${text}&lt;/p&gt;</content></entry>`;
  const feed = `<feed xmlns="http://www.w3.org/2005/Atom"><id>a</id><title>x</title>${entry("t3_a", "The post")}${entry("t1_b", "Well said.")}</feed>`;
  expect(
    await readWith("reddit", "https://www.reddit.com/comments/a/", {
      "www.reddit.com/comments/a.json?sort=confidence&limit=100&raw_json=1": "<html>",
      "www.reddit.com/comments/a.rss?limit=100": feed,
    }),
  ).toMatchObject([{ author: "mary_s", body: "Well said.", score: null, depth: 0 }]);
});

test("a hostile thread is bounded: deep, wide, long, in a circle or nonsense", async () => {
  const url = "https://www.reddit.com/comments/a/";
  const path = "www.reddit.com/comments/a.json?sort=confidence&limit=100&raw_json=1";
  const comment = (body: string, replies = '""') =>
    `{"kind":"t1","data":{"author":"a","body":"${body}","replies":${replies}}}`;
  const listing = (children: string) => `{"data":{"children":[${children}]}}`;
  const read = (comments: string) => readWith("reddit", url, { [path]: `[{},${listing(comments)}]` });
  let deep = comment("x");
  for (let level = 0; level < 5000; level++) deep = comment(level % 2 ? "x" : "[deleted]", listing(deep));
  expect(await read(deep)).toHaveLength(limits.originComments);
  expect(await read(Array(500).fill(comment("x")).join())).toHaveLength(limits.originComments);
  const long = await read(
    Array(90)
      .fill(comment("x".repeat(20_000)))
      .join(),
  );
  expect(long.map(({ body }) => body.length)).toEqual(Array(40).fill(limits.commentBody));
  expect(
    await read('1,null,{"kind":"t1"},{"kind":"t1","data":{"body":{"toString":1},"replies":{"data":[]}}}'),
  ).toEqual([]);
  const circle = ["2.1", "1.2"].map((way) => ({ comment: { path: way, content: "x" } }));
  const lemmyPath = `lemmy.example/api/v3/comment/list?${lemmy}&sort=Hot&type_=All`;
  expect(
    await readWith("lemmy", "https://lemmy.example/post/1", {
      [lemmyPath]: JSON.stringify({ comments: circle }),
    }),
  ).toEqual([]);
  await expect(read("{")).rejects.toThrow(OriginError);
  await expect(readWith("mastodon", "https://social.example/about", {})).rejects.toThrow(
    "Comments can't be read",
  );
});
