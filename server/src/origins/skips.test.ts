import { expect, test } from "vitest";
import { bluesky } from "./bluesky.ts";
import type { Ask, Connector } from "./connector.ts";
import { lemmy } from "./lemmy.ts";
import { mastodon } from "./mastodon.ts";
import { reddit } from "./reddit.ts";
import { SkipList } from "./skips.ts";

const responding =
  (body: unknown): Ask =>
  async (url) => ({ status: 200, url, headers: new Headers(), bytes: Buffer.from(JSON.stringify(body)) });

async function skippedBy(connector: Connector, address: string, body: unknown) {
  const place = connector.recognize(new URL(address));
  if (!place) throw new Error(`${address} isn't recognized`);
  const { items, skipped } = await connector.poll(place, responding(body));
  return { items: items.length, counts: skipped?.counts, examples: skipped?.examples };
}

const redditPost = (name: string, more: object) => ({
  data: { name, title: `Title of ${name}`, permalink: `/r/looms/comments/${name}/`, is_self: true, ...more },
});

test("Reddit's items are left out for a reason, and nothing but the address of a deleted one is kept", async () => {
  const children = [
    redditPost("t3_1", {}),
    redditPost("t3_1", {}),
    redditPost("t3_2", { removed_by_category: "moderator", selftext: "Explicit." }),
    redditPost("", {}),
    redditPost("t3_4", { title: " " }),
    null,
    ...Array.from({ length: 100 }, (_, i) =>
      redditPost(`t3_x${i}`, i < 20 ? { removed_by_category: "deleted" } : {}),
    ),
  ];
  const found = await skippedBy(reddit, "https://www.reddit.com/r/looms/new", { data: { children } });
  expect(found.counts).toEqual([
    { reason: "deleted", count: 21 },
    { reason: "too_many", count: 6 },
    { reason: "no_content", count: 1 },
    { reason: "no_key", count: 1 },
    { reason: "malformed", count: 1 },
    { reason: "duplicate", count: 1 },
  ]);
  expect(found.examples).toHaveLength(10);
  expect(found.examples).toContainEqual({
    reason: "deleted",
    title: null,
    url: "https://www.reddit.com/r/looms/comments/t3_2/",
  });
  expect(found.examples).toContainEqual({
    reason: "duplicate",
    title: "Title of t3_1",
    url: "https://www.reddit.com/r/looms/comments/t3_1/",
  });
  expect(JSON.stringify(found.examples)).not.toMatch(/t3_2"|Title of t3_2|Explicit/);
});

test.each([
  [
    mastodon,
    "https://social.example/@ada",
    [
      { visibility: "private" },
      { visibility: "public", reblog: {} },
      { visibility: "public", account: { noindex: true } },
    ].map((status, i) => ({ ...status, uri: `https://social.example/${i}`, content: "Secret" })),
    ["not_public", "repost", "opted_out"],
  ],
  [
    bluesky,
    "https://bsky.app/profile/ada.example",
    {
      feed: [
        { post: {}, reason: { by: "bob" } },
        { post: { author: { labels: [{ val: "!no-unauthenticated" }] } } },
        { post: { labels: [{ val: "!hide" }] } },
      ],
    },
    ["adult", "repost", "opted_out"],
  ],
  [
    lemmy,
    "https://lemmy.example/c/looms",
    { posts: [{ post: {} }, { post: { deleted: true }, community: {} }] },
    ["no_key", "deleted"],
  ],
] as const)("$platform says why it leaves items out", async (connector, address, body, reasons) => {
  const place = connector.recognize(new URL(address));
  // Mastodon's account is looked up first.
  const ask: Ask = (url) => responding(url.includes("/lookup") ? { id: "1" } : body)(url);
  const { items, skipped } = await connector.poll(place ?? expect.unreachable(), ask);
  expect(items).toEqual([]);
  expect(skipped?.counts.map(({ reason }) => reason).sort()).toEqual([...reasons].sort());
  expect(JSON.stringify(skipped?.examples)).not.toContain("Secret");
});

test("examples are bounded", () => {
  const skipped = new SkipList();
  for (let i = 0; i < 1000; i++)
    skipped.add(i % 2 ? "duplicate" : "other_source", {
      key: i,
      title: `\u202e${"x".repeat(10_000)}`,
      permalink: i < 4 ? `https://example.org/${"y".repeat(1000)}` : `javascript:${i}`,
    });
  expect(skipped.counts.map(({ count }) => count)).toEqual([500, 500]);
  expect(skipped.examples).toHaveLength(10);
  for (const { title, url } of skipped.examples) {
    expect(title).toMatch(/^x{119}…$/);
    expect(url ?? "").not.toMatch(/javascript|y/);
  }
});
