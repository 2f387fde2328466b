import { Origin, type OriginHandler } from "@tandem/testing/origin";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { openOutgoing } from "../outgoing/outgoing.ts";
import { unfurl } from "./card.ts";

const outgoing = openOutgoing({
  allowed: ["127.0.0.1/32"],
  userAgent: () => "Tandem/1.0 (+http://127.0.0.1)",
});
const html = { "content-type": "text/html; charset=utf-8" };

/** The card of a page with this head; `ORIGIN` stands for the origin's URL. */
async function cardOf(head: string, others: Record<string, OriginHandler> = {}) {
  await using origin = await Origin.start();
  for (const [path, shows] of Object.entries(others)) origin.show(path, shows);
  const url = origin.show("/page", {
    headers: html,
    body: `<!doctype html><html><head>${head}</head><body><p>Text`,
  });
  const found = await unfurl(url, outgoing);
  return JSON.parse(JSON.stringify(found).replaceAll(origin.url, "ORIGIN"));
}

const meta = (name: string, content: string) => `<meta property="${name}" content="${content}">`;

describe("a page's card", () => {
  test("prefers Open Graph", async () => {
    const head = [
      "<title>Plain</title>",
      meta("twitter:title", "Of Twitter"),
      meta("og:title", "Notes &amp;amp; &lt;b&gt;more&lt;/b&gt;"),
      meta("og:description", "In\n short"),
      meta("og:image", "/pictures/a.png"),
      meta("og:site_name", "Engines"),
    ];
    expect(await cardOf(head.join(""))).toEqual({
      title: "Notes & more",
      description: "In short",
      imageUrl: "ORIGIN/pictures/a.png",
      siteName: "Engines",
    });
  });

  test("falls back to Twitter tags", async () => {
    const head =
      '<meta name="twitter:title" content="T"><meta name="twitter:description" content="D"><meta name="twitter:image" content="https://e.example/i.png">';
    expect(await cardOf(head)).toEqual({
      ...{ title: "T", description: "D", imageUrl: "https://e.example/i.png", siteName: "127.0.0.1" },
    });
  });

  test.each([
    {
      "@type": "NewsArticle",
      headline: "H",
      description: "D",
      image: ["https://e.example/i.png"],
      publisher: { name: "P" },
    },
    {
      "@graph": [
        { "@type": "Organization", name: "No" },
        {
          "@type": ["Thing", "BlogPosting"],
          name: "H",
          description: "D",
          image: { url: "https://e.example/i.png" },
          publisher: { name: "P" },
        },
      ],
    },
  ])("falls back to linked data: %j", async (data) => {
    const head = `<script type="application/ld+json">{broken</script><script type="application/ld+json">${JSON.stringify(data)}</script>`;
    expect(await cardOf(head)).toEqual({
      ...{ title: "H", description: "D", imageUrl: "https://e.example/i.png", siteName: "P" },
    });
  });

  test("is completed by oEmbed if the page links it", async () => {
    const link =
      '<title>Plain</title><link rel="alternate" type="application/json+oembed" href="/oembed?url=x">';
    const oembed = { body: JSON.stringify({ title: "Other", thumbnail_url: "https://e.example/t.png" }) };
    expect(await cardOf(link, { "/oembed?url=x": oembed })).toMatchObject({
      ...{ title: "Plain", imageUrl: "https://e.example/t.png" },
    });
    for (const refused of [
      { status: 404 },
      { body: "<html>" },
      { status: 302, headers: { location: "http://10.0.0.1/" } },
    ])
      expect(await cardOf(link, { "/oembed?url=x": refused })).toMatchObject({
        title: "Plain",
        imageUrl: null,
      });
  });

  test("falls back to the title element", async () => {
    const head =
      '<title>\n Fish &amp; chips </title><meta name="description" content="Food"><svg><title>Icon</title></svg>';
    expect(await cardOf(head)).toEqual({
      ...{ title: "Fish & chips", description: "Food", imageUrl: null, siteName: "127.0.0.1" },
    });
  });

  test("is decoded from the page's charset", async () => {
    await using origin = await Origin.start();
    const body = Buffer.from('<meta charset="windows-1252"><title>Größe</title>', "latin1");
    const url = origin.show("/", { headers: { "content-type": "text/html" }, body });
    expect((await unfurl(url, outgoing))?.title).toBe("Größe");
  });

  test("ignores picture URLs that aren't http", async () => {
    const head = `<title>t</title>${meta("og:image", "javascript:alert(1)")}`;
    expect(await cardOf(head)).toMatchObject({ imageUrl: null });
  });

  test("follows redirects", async () => {
    await using origin = await Origin.start();
    origin.show("/new", { headers: html, body: "<title>New</title>" });
    const url = origin.show("/old", { status: 301, headers: { location: "/new" } });
    expect(await unfurl(url, outgoing)).toMatchObject({ title: "New" });
  });

  test("needs only the start of a very long page", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/", {
      headers: html,
      body: `<title>Long</title>${"<p>more</p>".repeat(1_000_000)}`,
    });
    expect((await unfurl(url, outgoing))?.title).toBe("Long");
  });

  test("is the picture itself for a picture URL", async () => {
    await using origin = await Origin.start();
    const url = origin.show("/a.png", { headers: { "content-type": "image/png" }, body: "…" });
    expect(await unfurl(url, outgoing)).toMatchObject({ title: null, imageUrl: url });
  });

  test.each<[string, OriginHandler]>([
    ["a missing page", { status: 404, headers: html, body: "<title>Not found</title>" }],
    ["another file type", { headers: { "content-type": "application/pdf" }, body: "<title>x</title>" }],
    ["a page without metadata", { headers: html, body: "<p>Text" }],
  ])("is null for %s", async (_, shows) => {
    await using origin = await Origin.start();
    expect(await unfurl(origin.show("/", shows), outgoing)).toBeNull();
  });

  test("is valid for any head", async () => {
    await using origin = await Origin.start();
    const piece = fc.oneof(
      fc.constantFrom(
        "<title>",
        "</title>",
        "<meta property=og:title content=",
        "<script type=application/ld+json>",
        "</script>",
        "<base href=",
        "<link rel=canonical href=",
        "'",
        '"',
        ">",
        '{"@type":"Article","headline":',
        "\u202E",
        "http://[",
        "//",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        const found = await unfurl(origin.show("/", { headers: html, body: pieces.join("") }), outgoing);
        const { title = null, imageUrl = null } = found ?? {};
        expect(found === null || title !== null).toBe(true);
        expect([...(title ?? "")].length).toBeLessThanOrEqual(300);
        expect(imageUrl ?? "https://").toMatch(/^https?:\/\//);
      }),
    );
  });
});
