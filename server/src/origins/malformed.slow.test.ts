import { readdirSync, readFileSync } from "node:fs";
import { hiddenCharacter } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import { type OriginPlatform, originNames } from "@tandem/contract/origins";
import { mediaTypes } from "@tandem/contract/post-resources";
import { askOrigin } from "@tandem/testing/ask-origin";
import { cpuTime, lowestCpuTime, lowestOf } from "@tandem/testing/measure";
import { Origin } from "@tandem/testing/origin";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Item, OriginError } from "./connector.ts";
import { connectors } from "./connectors.ts";
import { readFeed } from "./feeds/parse-in-thread.ts";
import { readPage } from "./page.ts";
import { MAX_ITEMS } from "./poll.ts";

const place = { url: "https://engines.example/feed", name: "Engines", community: "engines.example" };

/** Polls a feed that responds with this body. */
async function pollFeed(body: string | Buffer, headers: Record<string, string> = {}) {
  await using origin = await Origin.start();
  const url = origin.show("/feed", { body, headers });
  return await connectors.rss.poll({ ...place, url }, askOrigin(origin));
}

const rss = (items: string, head = "") =>
  `<rss version="2.0"><channel><title>Engines</title>${head}${items}</channel></rss>`;
const item = (inner: string) => `<item>${inner}</item>`;

describe("a feed", () => {
  test("is decoded despite a wrong or missing charset", async () => {
    const greeting = item("<title>Größe</title>");
    for (const [body, type] of [
      [Buffer.from(rss(greeting), "latin1"), "text/xml; charset=iso-8859-1"],
      [Buffer.from(`<?xml version="1.0" encoding="iso-8859-1"?>${rss(greeting)}`, "latin1"), "text/xml"],
      [Buffer.from(`\uFEFF${rss(greeting)}`, "utf16le"), "application/rss+xml"],
      [Buffer.from(rss(greeting)), "text/html; charset=nonsense"],
    ] as const)
      expect((await pollFeed(body, { "content-type": type })).items[0]?.title).toBe("Größe");
  });

  test.each([
    ["leading white space", `\n\n  <?xml version="1.0"?>${rss(item("<title>a</title>"))}`],
    ["a stylesheet and comments", `<?xml-stylesheet href="x"?><!-- c -->${rss(item("<title>a</title>"))}`],
    ["control characters", rss(item("<title>\u0001a\u0000\u001B</title>"))],
    ["an unescaped ampersand", rss(item("<title>a</title><link>https://e.example/?a=1&b=2</link>"))],
    ["HTML entities", rss(item("<title>a</title><description>&nbsp;&copy;</description>"))],
    ["tags in capitals", "<RSS VERSION='2.0'><CHANNEL><ITEM><TITLE>a</TITLE></ITEM></CHANNEL></RSS>"],
    ["no end", "<rss version='2.0'><channel><item><title>a</title></item>"],
    [
      "nested entities (billion laughs)",
      `<!DOCTYPE r [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]>${rss(item("<title>a</title><description>&b;</description>"))}`,
    ],
    [
      "an old DTD",
      `<!DOCTYPE rss PUBLIC "-//N//DTD RSS 0.91//EN" "http://e.example/r.dtd">${rss(item("<title>a</title>"))}`,
    ],
  ])("can have %s", async (_, body) => {
    const { items } = await pollFeed(body);
    expect(items.map(({ title }) => title)).toEqual(["a"]);
    expect(items[0]?.body ?? "").not.toMatch(/root:|haha/);
  });

  test("without ids gets the same key for the same content", async () => {
    const bodies = [
      "<title>a</title>",
      "<title>b</title>",
      "<title>a</title>",
      "<link>/c</link><title>c</title>",
    ];
    const [first, second] = [
      await pollFeed(rss(bodies.map(item).join(""))),
      await pollFeed(rss(item("<title>b</title>"))),
    ];
    expect(first.items.map(({ title }) => title)).toEqual(["a", "b", "c"]);
    expect(first.items[1]?.key.replace(/^\S+/, "")).toBe(second.items[0]?.key.replace(/^\S+/, ""));
  });

  test("can have ids of any form", async () => {
    const ids = ["1", "a".repeat(10_000), "tag:e.example,2026:1", "\uD83D", "  2  "];
    const { items } = await pollFeed(
      rss(ids.map((id) => item(`<guid>${id}</guid><title>t</title>`)).join("")),
    );
    expect(new Set(items.map(({ key }) => key)).size).toBe(ids.length);
    for (const found of items) expect(brokenRulesOf(found)).toEqual([]);
  });

  test("can use numbers as ids, like other feeds of its site", async () => {
    const key = async (link: string) =>
      (await pollFeed(rss(item(`<guid>1</guid><link>${link}</link><title>t</title>`)))).items[0]?.key;
    expect(await key("https://e.example/news/1")).toBe(await key("https://e.example/news/1"));
    expect(await key("https://e.example/news/1")).not.toBe(await key("https://e.example/shop/1"));
  });

  test("can be empty", async () => {
    for (const body of [rss(""), '{"version":"https://jsonfeed.org/version/1","title":"x","items":[]}'])
      expect(await pollFeed(body)).toMatchObject({ items: [], unchanged: false });
  });

  test("with very many items is truncated and counts as incomplete", async () => {
    const many = Array.from({ length: 30_000 }, (_, i) =>
      item(`<guid>${i}</guid><title>${i}</title><description>${"word ".repeat(30)}</description>`),
    );
    const { items, complete } = await pollFeed(rss(many.join("")));
    expect({ found: items.length, complete }).toEqual({ found: MAX_ITEMS, complete: false });
  });

  test("of 50 MB is rejected", async () => {
    await expect(pollFeed(rss(item("<title>a</title>").repeat(2_000_000)))).rejects.toMatchObject({
      reason: "too_large",
    });
  });

  test("is fetched conditionally, and can say when to fetch it again", async () => {
    await using origin = await Origin.start();
    const headers = { etag: '"1"', "cache-control": "public, max-age=900" };
    const url = origin.show("/feed", { headers, body: rss(item("<title>a</title>"), "<ttl>5</ttl>") });
    const ask = askOrigin(origin);
    const visit = () => connectors.rss.poll({ ...place, url }, ask);
    expect(await visit()).toMatchObject({ unchanged: false, askAgainAfter: 900 });
    expect(await visit()).toEqual({
      items: [],
      unchanged: true,
      gone: [],
      complete: false,
      askAgainAfter: 900,
    });
  });

  test.each([
    [404, {}],
    [429, { "retry-after": "120" }],
    [500, {}],
  ])("with status %s throws an error with that status", async (status, headers) => {
    await using origin = await Origin.start();
    const url = origin.show("/feed", { status, headers });
    const retryAfter = status === 429 ? 120 : null;
    await expect(connectors.rss.poll({ ...place, url }, askOrigin(origin))).rejects.toMatchObject({
      status,
      retryAfter,
    });
  });

  test.each([
    ["nothing", ""],
    ["half of JSON", "{"],
    ["JSON of something else", "[null]"],
    ["a page", "<html><body>Sorry</body></html>"],
    ["endless opening tags", "<rss>".repeat(100_000)],
    ["binary data", "\u0000"],
    [
      "a document that references a local file",
      `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${rss(item("<title>&x;</title>"))}`,
    ],
  ])("isn't accepted from %s", async (_, body) => {
    await expect(pollFeed(body)).rejects.toThrow(OriginError);
  });
});

test.each([
  ["of opening tags", "<a>".repeat(2_700_000)],
  ["of attributes", `<rss ${"a='' ".repeat(1_600_000)}>`],
  ["of items", rss(item("<title>x</title>").repeat(300_000))],
  ["of tags in one item", rss(item("<enclosure url='/a'/>".repeat(380_000)))],
  ["of entities", rss(item(`<title>${"&amp;".repeat(1_600_000)}</title>`))],
])("a feed %s doesn't block the main thread", async (_, body) => {
  const response = { bytes: Buffer.from(body), headers: new Headers(), url: place.url };
  await readFeed({ ...response, bytes: Buffer.from(rss("")) });
  const read = () => readFeed(response).catch((error) => expect(error).toBeInstanceOf(OriginError));
  // Wall time means little on a busy machine. So this thread must use little CPU time and keep running its timers.
  const ownTime = async () => {
    let turns = 0;
    const timer = setInterval(() => {
      turns += 1;
    }, 5);
    const time = await cpuTime(read);
    clearInterval(timer);
    return turns > 1 ? time : Number.POSITIVE_INFINITY;
  };
  expect(await lowestOf(200, ownTime)).toBeLessThan(200);
});

/** The rules that an item breaks. */
function brokenRulesOf(found: Item): string[] {
  const { title, body, alt, author, community, mediaUrl, audioUrl } = found;
  const { permalink, link, thumbnailUrl, authorAvatarUrl } = found;
  const texts = [title, body, alt, author, community].filter((text) => text !== null);
  const addresses = [mediaUrl, audioUrl, permalink, link, thumbnailUrl, authorAvatarUrl].filter(
    (url) => url !== null,
  );
  const fits = (text: string | null, limit: number) => text === null || [...text].length <= limit;
  const isSize = (size: number | null) => size === null || (Number.isInteger(size) && size > 0);
  const rules: Record<string, boolean> = {
    key:
      found.key.length > 0 &&
      found.key.length <= 500 &&
      found.key.isWellFormed() &&
      !found.key.includes("\0"),
    texts: texts.every(
      (text) => text.trim() === text && text !== "" && text.isWellFormed() && !hiddenCharacter(text),
    ),
    lines: [title, author, community].every((line) => line === null || !/[\n\r\u2028\u2029]/.test(line)),
    lengths:
      fits(title, limits.postTitle) &&
      fits(body, limits.postBody) &&
      fits(alt, limits.alt) &&
      fits(author, 200),
    addresses: addresses.every(
      (url) => /^https?:\/\/[^@]*$/.test(url.split("/", 3).join("/")) && url.length <= limits.url,
    ),
    media: mediaTypes.includes(found.mediaType) && (found.mediaType === "text") === (mediaUrl === null),
    sizes: isSize(found.width) && isSize(found.height),
    counts: found.score === null || Number.isSafeInteger(found.score),
    time: found.postedAt === null || (found.postedAt <= Date.now() && found.postedAt > 0),
    content: title !== null || body !== null || mediaUrl !== null || audioUrl !== null,
  };
  return Object.keys(rules).filter((rule) => !rules[rule]);
}

describe("any response of an origin yields valid items or an OriginError", () => {
  /** Hacker News needs several responses, so each is its own fixture. */
  const all = readdirSync(new URL("fixtures/", import.meta.url)).flatMap((name) => {
    const bytes = readFileSync(new URL(`fixtures/${name}`, import.meta.url));
    if (name !== "hackernews.json") return [{ name, bytes }];
    const parts: unknown[] = Object.values(JSON.parse(bytes.toString()));
    return parts.map((part) => ({ name, bytes: Buffer.from(JSON.stringify(part)) }));
  });
  const addresses: Record<OriginPlatform, string[]> = {
    reddit: ["https://www.reddit.com/r/engines/new"],
    lemmy: ["https://lemmy.example/c/engines"],
    piefed: ["https://piefed.example/c/engines"],
    mastodon: ["https://social.example/tags/engines", "https://social.example/"],
    bluesky: ["https://bsky.app/profile/ada.example"],
    hackernews: ["https://news.ycombinator.com/news"],
    youtube: ["https://www.youtube.com/playlist?list=PL0123456789"],
    peertube: ["https://video.example/c/wheels"],
    rss: ["https://engines.example/feed"],
  };

  const fixturesOf = (platform: OriginPlatform) =>
    all.filter(({ name }) =>
      platform === "rss" ? /^(rss|atom|rdf|feed|podcast)\./.test(name) : name.startsWith(platform),
    );

  /** A response of the platform, or sometimes of another one. */
  const fixtureOf = (platform: OriginPlatform) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...fixturesOf(platform)) },
      { weight: 1, arbitrary: fc.constantFrom(...all) },
    );

  const cut = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.nat(40),
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.constantFrom("\u202E", "&#x200B;", "<p>").map((text) => Buffer.from(text)),
    ),
  );

  /** With removed or replaced pieces. */
  const broken = (platform: OriginPlatform) =>
    fc.tuple(fixtureOf(platform), fc.array(cut, { maxLength: 5 })).map(([{ bytes }, cuts]) =>
      cuts.reduce((left, [where, length, put]) => {
        const start = Math.floor(where * left.length);
        return Buffer.concat([left.subarray(0, start), put, left.subarray(start + length)]);
      }, bytes),
    );

  const value = fc.oneof(
    fc.jsonValue(),
    fc.string({ unit: "binary" }),
    fc.double(),
    fc.constantFrom(
      "https://a:b@c.example/",
      "javascript:alert(1)",
      "\u202E",
      "9".repeat(400),
      "x".repeat(11_000),
    ),
  );

  /** JSON with random values. */
  const wild = (platform: OriginPlatform) =>
    fc
      .tuple(fixtureOf(platform), fc.infiniteStream(fc.option(value, { freq: 5 })))
      .map(([{ name, bytes }, values]) => {
        if (!name.endsWith(".json")) return bytes;
        const odd = (_: string, was: unknown) =>
          typeof was === "object" ? was : (values.next().value ?? was);
        return Buffer.from(JSON.stringify(JSON.parse(bytes.toString()), odd));
      });

  const any = fc.uint8Array({ maxLength: 2000 }).map((bytes) => Buffer.from(bytes));

  test.each(originNames)("%s", async (platform) => {
    let good = 0;
    const poll = async (bytes: Buffer, address: string) => {
      const connector = connectors[platform];
      const visited = connector.recognize(new URL(address)) ?? place;
      const response = { status: 200, headers: new Headers() } as const;
      const list = Buffer.from("[101,102]");
      return connector
        .poll(visited, async (url) => ({
          ...response,
          url,
          bytes: url.endsWith("stories.json") ? list : bytes,
        }))
        .catch((error) => {
          if (error instanceof OriginError) return { items: [], gone: [] };
          throw error;
        });
    };
    const responses = fc.oneof(broken(platform), wild(platform), any);
    const unbroken = fixturesOf(platform).flatMap(({ bytes }) =>
      addresses[platform].map((address): [Buffer, string] => [bytes, address]),
    );
    await fc.assert(
      fc.asyncProperty(responses, fc.constantFrom(...addresses[platform]), async (bytes, address) => {
        const { items, gone } = await poll(bytes, address);
        good += items.length;
        expect(items.flatMap(brokenRulesOf)).toEqual([]);
        expect(gone.every((key) => key.length > 0 && key.length <= 500)).toBe(true);
      }),
      { numRuns: 50 + unbroken.length, examples: unbroken },
    );
    // The test would prove nothing if all responses were rejected.
    expect(good).toBeGreaterThan(0);
  });

  test.each(["<a>", "<p><b>", "<table>", "</p>", "<meta name=a content=b>", "<title>", "<script>", "<!--"])(
    "a page of endless %s is read in linear time",
    async (piece) => {
      const bytes = Buffer.from(piece.repeat(300_000));
      const read = () => readPage({ bytes, headers: new Headers(), url: place.url });
      expect(await lowestCpuTime(1000, read)).toBeLessThan(1000);
    },
  );

  test("a broken page still yields a valid base URL", () => {
    fc.assert(
      fc.property(broken("rss"), (bytes) => {
        const page = readPage({ bytes, headers: new Headers(), url: place.url });
        expect(URL.canParse(page.base)).toBe(true);
      }),
    );
  });
});
