import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { type ImportPart, type ImportPlatform, importParts } from "@tandem/contract/imports";
import { parseMarkdown } from "@tandem/contract/markdown/parse";
import { plainText } from "@tandem/contract/markdown/plain";
import { carOf, csv, outboxOf, scriptOf, tarOf, tweetOf, zipOf } from "@tandem/testing/archives";
import { temporaryDirectory } from "@tandem/testing/storage";
import { expect, test } from "vitest";
import type { Archived, Contents } from "./archive.ts";
import { readArchiveInProcess } from "./archive-in-process.ts";
import { csvRows } from "./csv.ts";
import { readItems } from "./items.ts";
import { escapeMarkdown } from "./to-markdown.ts";

const now = Date.UTC(2026, 0, 1);
const never = new AbortController().signal;

type Read = { [Part in ImportPart]: Archived[Part][] } & Pick<Contents, "left">;

async function read(
  platform: ImportPlatform,
  file: string | Uint8Array,
  parts: readonly ImportPart[] = importParts,
): Promise<Read> {
  await using folder = await temporaryDirectory();
  const path = join(folder.path, "export");
  await writeFile(path, file);
  const task = { path, platform, parts, folder: folder.path, now };
  const { totals, left } = await readArchiveInProcess(task, never);
  const all = async <Part extends ImportPart>(part: Part) => {
    const items: Archived[Part][] = [];
    while (items.length < totals[part]) items.push(...(await readItems(folder.path, part, items.length)));
    return items;
  };
  const entries = importParts.map(async (part) => [part, await all(part)]);
  return { ...Object.fromEntries(await Promise.all(entries)), left };
}

const problemOf = (platform: ImportPlatform, file: string | Uint8Array) =>
  read(platform, file).then(
    () => null,
    (error) => error.problem ?? error,
  );

const left = ({ left }: Pick<Contents, "left">) =>
  Object.fromEntries(left.map(({ part, outcome, count }) => [`${part} ${outcome}`, count]));

test("reads Mastodon's archive", async () => {
  const mention = '<a href="https://far.example/@bob" class="u-url mention">@<span>bob</span></a>';
  const outbox = outboxOf(
    {
      content: `<p>Hello ${mention} &amp; *all*<br>1. not a list</p><p>See <a href="https://a.example/x_y_z">a.example</a></p>`,
      tag: [{ type: "Mention", href: "https://far.example/users/bob", name: "@bob@far.example" }],
      summary: "Greetings",
      sensitive: true,
      attachment: [
        {
          type: "Document",
          mediaType: "image/png",
          url: "/media_attachments/files/1/original/a.png",
          name: "A loom",
        },
        {
          type: "Document",
          mediaType: "video/mp4",
          url: "/media_attachments/files/2/original/b.mp4",
          name: null,
        },
      ],
    },
    { to: ["https://social.example/users/ada/followers"], cc: [] },
    {
      to: ["https://social.example/users/ada/followers"],
      cc: ["https://www.w3.org/ns/activitystreams#Public"],
    },
    { inReplyTo: "https://far.example/1" },
    { type: "Announce", object: "https://far.example/2" },
    { published: "2031-01-01T00:00:00Z" },
    { content: "<p></p>" },
    { type: "Question", content: "<p>Which?</p>", oneOf: [{ name: "Jacquard" }, { name: "Dobby" }] },
  );
  const bookmarks = JSON.stringify({
    orderedItems: ["https://far.example/users/bob/statuses/7", "no address"],
  });
  const picture = new Uint8Array([1, 2, 3]);
  const files = {
    "media_attachments/files/1/original/a.png": picture,
    "../../etc/passwd": "root",
    "outbox.json": outbox,
    "bookmarks.json": bookmarks,
  };
  const contents = await read("mastodon", await tarOf(files));
  expect(contents.posts).toMatchObject([
    {
      key: "https://social.example/users/ada/statuses/0",
      url: "https://social.example/@ada/0",
      title: null,
      body: "Hello \\@bob@far.example & \\*all\\*\n1\\. not a list\n\nSee a.example (https://a.example/x_y_z)",
      postedAt: Date.UTC(2019, 4, 1, 10),
      contentWarning: "Greetings",
      sensitive: true,
      pictures: [{ alt: "A loom" }],
      losesMedia: true,
    },
    { body: "Which?\n\n• Jacquard\n• Dobby" },
  ]);
  expect(left(contents)).toEqual({
    "posts not_public": 2,
    "posts reply": 1,
    "posts repost": 1,
    "posts invalid": 1,
    "posts empty": 1,
    "bookmarks invalid": 1,
  });
  expect(contents.bookmarks).toMatchObject([{ key: "https://far.example/users/bob/statuses/7" }]);
});

test("reads Mastodon's lists alone, in any charset", async () => {
  const following =
    "\ufeffAccount address,Show boosts\r\nBob@far.example,true\r\n@eve@far.example,true\r\nlocal,true\r\n";
  const { follows, ...rest } = await read("mastodon", new Uint8Array(Buffer.from(following, "utf16le")));
  expect(follows.map(({ author }) => author)).toEqual(["Bob@far.example", "eve@far.example"]);
  expect(left(rest)).toEqual({ "follows invalid": 1 });
  const saved = await read("mastodon", "https://far.example/1\nhttps://far.example/2\n");
  expect(saved.bookmarks.map(({ name }) => name)).toEqual(["https://far.example/1", "https://far.example/2"]);
  const { mutes } = await read("mastodon", "Account address,Hide notifications\nbob@far.example,true\n");
  expect(mutes.map(({ author }) => author)).toEqual(["bob@far.example"]);
  const accounts = "bob@far.example\nno address\n";
  const blocked = await read("mastodon", accounts);
  expect(blocked.blocks.map(({ author }) => author)).toEqual(["bob@far.example"]);
  expect(left(blocked)).toEqual({ "blocks invalid": 1 });
  // Other software exports follows without a header.
  const followed = await read("mastodon", accounts, ["posts", "follows"]);
  expect(followed.follows.map(({ author }) => author)).toEqual(["bob@far.example"]);
  const { lists } = await read("mastodon", 'Weavers,bob@far.example\n"Weavers, too",eve@far.example\n');
  expect(lists).toMatchObject([
    { list: "Weavers", author: "bob@far.example" },
    { list: "Weavers, too", author: "eve@far.example" },
  ]);
});

test("reads Bluesky's repository", async () => {
  const did = "did:plc:ada7777777777777777777777";
  const text = "Ünder @bob.example see looms now";
  const range = (part: string) => {
    const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(part)));
    return { byteStart, byteEnd: byteStart + Buffer.byteLength(part) };
  };
  const list = (purpose: string, name: string) => ({
    ...{ $type: "app.bsky.graph.list", purpose: `app.bsky.graph.defs#${purpose}`, name },
  });
  const member = (subject: string, key: string) => ({
    ...{ $type: "app.bsky.graph.listitem", subject, list: `at://${did}/app.bsky.graph.list/${key}` },
  });
  const post = { $type: "app.bsky.feed.post", createdAt: "2024-02-03T04:05:06.000Z", langs: ["en"] };
  const contents = await read(
    "bluesky",
    carOf(did, {
      "app.bsky.feed.post/3k1": {
        ...post,
        text,
        facets: [
          {
            index: range("looms"),
            features: [{ $type: "app.bsky.richtext.facet#link", uri: "https://a.example/(x)" }],
          },
          {
            index: range("@bob.example"),
            features: [{ $type: "app.bsky.richtext.facet#mention", did: "did:plc:bob" }],
          },
          { index: { byteStart: 900, byteEnd: 990 }, features: [{ uri: "https://b.example/" }] },
        ],
        embed: {
          $type: "app.bsky.embed.external",
          external: { uri: "https://a.example/loom", title: "T", description: "" },
        },
      },
      "app.bsky.feed.post/3k2": { ...post, text: "Reply", reply: { root: {}, parent: {} } },
      "app.bsky.feed.post/3k3": {
        ...post,
        text: "Picture",
        labels: { $type: "com.atproto.label.defs#selfLabels", values: [{ val: "porn" }] },
        embed: { $type: "app.bsky.embed.images", images: [{ alt: "x", image: { $type: "blob" } }] },
      },
      "app.bsky.feed.post/3k4": {
        ...post,
        text: "Inside",
        labels: { values: [{ val: "!no-unauthenticated" }] },
      },
      "app.bsky.feed.repost/3k5": { $type: "app.bsky.feed.repost", subject: {}, createdAt: post.createdAt },
      "app.bsky.graph.follow/3k6": {
        $type: "app.bsky.graph.follow",
        subject: "did:plc:bob",
        createdAt: post.createdAt,
      },
      "app.bsky.graph.block/3k7": { $type: "app.bsky.graph.block", subject: "did:plc:eve" },
      "app.bsky.graph.list/3k8": list("curatelist", "Weavers"),
      "app.bsky.graph.list/3k9": list("modlist", "Spam"),
      "app.bsky.graph.listitem/3l1": member("did:plc:bob", "3k8"),
      "app.bsky.graph.listitem/3l2": member("did:plc:eve", "3k9"),
      "app.bsky.graph.listitem/3l3": member("did:plc:eve", "gone"),
    }),
  );
  expect(contents.posts).toMatchObject([
    {
      key: `at://${did}/app.bsky.feed.post/3k1`,
      url: `https://bsky.app/profile/${did}/post/3k1`,
      body: "Ünder [@bob.example](https://bsky.app/profile/did:plc:bob) see [looms](https://a.example/%28x%29) now",
      link: "https://a.example/loom",
      postedAt: Date.UTC(2024, 1, 3, 4, 5, 6),
      losesMedia: false,
    },
    { body: "Picture", sensitive: true, losesMedia: true, pictures: [] },
  ]);
  expect(contents.follows).toMatchObject([{ keyPrefix: "at://did:plc:bob/" }]);
  expect(contents.blocks).toMatchObject([{ keyPrefix: "at://did:plc:eve/" }]);
  expect(contents.lists).toMatchObject([{ list: "Weavers", keyPrefix: "at://did:plc:bob/" }]);
  expect(left(contents)).toEqual({
    "posts reply": 1,
    "posts not_public": 1,
    "posts repost": 1,
    "lists invalid": 1,
  });
});

test("reads X's archive", async () => {
  const media = [
    { type: "photo", url: "https://t.co/pic", media_url_https: "https://pbs.twimg.com/media/Dpic.jpg" },
    { type: "photo", url: "https://t.co/pic", media_url_https: "https://pbs.twimg.com/media/Dpic2.jpg" },
  ];
  const contents = await read(
    "x",
    await zipOf({
      "twitter-2024/data/tweets.js": scriptOf("tweets", [
        tweetOf("105", {
          full_text: "1 &lt; 2 &amp;amp; @ada_l #looms_x https://t.co/abc https://t.co/pic",
          entities: { urls: [{ url: "https://t.co/abc", expanded_url: "https://a.example/b_c" }] },
          extended_entities: { media },
        }),
        tweetOf("106", { full_text: "RT @bob: hm" }),
        // Each replacement would double it.
        tweetOf("109", {
          full_text: "https://t.co/a",
          entities: {
            urls: Array(90).fill({
              url: "https://t.co/a",
              expanded_url: "https://e.org/https://t.co/a?https://t.co/a",
            }),
          },
        }),
        tweetOf("107", { in_reply_to_status_id_str: "1" }),
      ]),
      "twitter-2024/data/tweets-part1.js": scriptOf("tweets", [tweetOf("108", { created_at: "no time" })]),
      "twitter-2024/data/following.js": scriptOf("following", [
        { following: { accountId: "12", userLink: "https://twitter.com/intent/user?user_id=12" } },
      ]),
      "twitter-2024/data/tweets_media/105-Dpic.jpg": "picture",
      "twitter-2024/data/direct-messages.js": "window.YTD.direct_messages.part0 = broken",
    }),
  );
  expect(contents.posts).toMatchObject([
    {
      key: "105",
      url: "https://x.com/i/web/status/105",
      body: "1 \\< 2 &amp; [@ada\\_l](https://x.com/ada_l) #looms_x https://a.example/b_c",
      postedAt: Date.UTC(2018, 9, 10, 20, 19, 24),
      pictures: [{ alt: null }],
      losesMedia: true,
    },
    { key: "109" },
  ]);
  expect(contents.follows).toMatchObject([
    { name: "https://twitter.com/intent/user?user_id=12", author: null },
  ]);
  expect(left(contents)).toEqual({ "posts repost": 1, "posts reply": 1, "posts invalid": 1 });
});

test("reads Reddit's export", async () => {
  const header = ["id", "permalink", "date", "ip", "subreddit", "gildings", "title", "url", "body"];
  const permalink = "https://www.reddit.com/r/looms/comments/abc/on_looms/";
  const contents = await read(
    "reddit",
    await zipOf({
      "posts.csv": csv(
        header,
        [
          "abc",
          permalink,
          "2021-03-04 05:06:07 UTC",
          "",
          "looms",
          "0",
          'On "looms"',
          permalink,
          "They **weave**,\n\nsays @bob",
        ],
        [
          "abd",
          "/r/looms/comments/abd/x/",
          "2021-03-05 05:06:07 UTC",
          "",
          "looms",
          "0",
          "A link",
          "https://a.example/",
          "",
        ],
        [
          "abe",
          "/r/looms/comments/abe/x/",
          "2021-03-06 05:06:07 UTC",
          "",
          "looms",
          "0",
          "A picture",
          "https://i.redd.it/x.png",
          "[removed]",
        ],
      ),
      "comments.csv": csv(
        ["id", "permalink", "date", "ip", "subreddit", "gildings", "link", "parent", "body"],
        ["c1", "x", "", "", "", "", "", "", "Hm"],
      ),
      "saved_posts.csv": csv(["id", "permalink"], ["zzz", "https://www.reddit.com/r/looms/comments/zzz/y/"]),
      "subscribed_subreddits.csv": csv(["subreddit"], ["looms"], ["u_eve"]),
    }),
  );
  expect(contents.posts).toMatchObject([
    {
      key: "t3_abc",
      url: permalink,
      title: 'On "looms"',
      body: "They **weave**,\n\nsays \\@bob",
      link: null,
    },
    { title: "A link", body: null, link: "https://a.example/" },
    { title: "A picture", body: null, link: null, losesMedia: true },
  ]);
  expect(contents.communities).toEqual([{ name: "r/looms", community: "looms" }]);
  expect(contents.follows).toMatchObject([{ author: "eve", platform: "reddit" }]);
  expect(contents.bookmarks).toMatchObject([{ key: "t3_zzz", platforms: ["reddit"] }]);
  expect(left(contents)).toEqual({ "posts reply": 1 });
});

test("refuses what is damaged, hostile or of another platform", async () => {
  const zip = await zipOf({ "outbox.json": outboxOf({}) });
  expect(await problemOf("reddit", zip)).toBe("not_recognized");
  expect(await problemOf("bluesky", outboxOf({}))).toBe("not_recognized");
  expect(await problemOf("mastodon", "{}")).toBe("not_recognized");
  expect(await problemOf("mastodon", zip.slice(0, -30))).toBe("damaged");
  expect(await problemOf("mastodon", await zipOf({ "outbox.json": "{" }))).toBe("damaged");
  const tar = await tarOf({ "outbox.json": outboxOf({}) });
  expect(await problemOf("mastodon", tar.slice(0, -30))).toBe("damaged");
  expect(await problemOf("bluesky", carOf("did:plc:ada", {}).slice(0, -5))).toBe("damaged");
  // A path that leads out of the archive: yauzl refuses it.
  const escaping = Buffer.from(await zipOf({ "aa/aa.json": "{}", "outbox.json": outboxOf({}) }));
  for (let at = escaping.indexOf("aa/aa"); at >= 0; at = escaping.indexOf("aa/aa"))
    escaping.write("../aa", at);
  expect(await problemOf("mastodon", escaping)).toBe("damaged");
});

test("refuses bombs before they fill memory or disk", async () => {
  const zeros = Buffer.alloc(2 ** 27 + 1, " ");
  expect(await problemOf("mastodon", await zipOf({ "outbox.json": zeros }))).toBe("too_large");
  const tar = await tarOf({
    "media_attachments/a.png": Buffer.alloc(2 ** 27 + 2 ** 24),
    "outbox.json": "{}",
  });
  expect(await problemOf("mastodon", tar)).toBe("too_large");
  expect(await problemOf("mastodon", claimingFiles(1_000_000))).toBe("too_large");
  // Deeply nested JSON.
  expect(await problemOf("mastodon", `{"orderedItems":${"[".repeat(2e6)}`)).toBe("damaged");
});

test("plain text stays what it is as Markdown", () => {
  const plain =
    "# no heading\n> no quote\n- no list\n10. ten\n*a* _b_ `c` [d](https://e.example/) <b> | x |\n---\n~~s~~ \\ @ada";
  expect(plainText(escapeMarkdown(plain))).toContain("[d](https://e.example/)");
  const kinds = JSON.stringify(parseMarkdown(escapeMarkdown(plain)));
  for (const kind of ["heading", "quote", "list", "table", "rule", "emphasis", "strong", "code", "mention"])
    expect(kinds).not.toContain(`"kind":"${kind}"`);
});

test("reads tables in linear time, however they are quoted", () => {
  expect([...csvRows('a,"b ""c""\n,d"\r\n,\n\n"x"y,z\n"open')]).toEqual([
    ["a", 'b "c"\n,d'],
    ["", ""],
    ["xy", "z"],
    ["open"],
  ]);
  const begun = performance.now();
  for (const hostile of ['"'.repeat(2e6), ",".repeat(2e6), '"a",'.repeat(5e5)])
    for (const _ of csvRows(hostile));
  expect(performance.now() - begun).toBeLessThan(10_000);
});

/** An empty zip file (Zip64) whose end says that it has so many files. */
function claimingFiles(count: number): Buffer {
  const end64 = Buffer.alloc(56);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  for (const at of [24, 32]) end64.writeBigUInt64LE(BigInt(count), at);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeUInt32LE(1, 16);
  const end = Buffer.alloc(22, 0xff);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(0, 20);
  // Recognized as a zip file by its beginning.
  const start = Buffer.from("PK\x03\x04".padEnd(30, "\0"), "latin1");
  locator.writeBigUInt64LE(BigInt(start.length), 8);
  return Buffer.concat([start, end64, locator, end]);
}
