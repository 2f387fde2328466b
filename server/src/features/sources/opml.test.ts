import { SOURCES_OPML_PATH } from "@tandem/contract/documents";
import { withoutHidden } from "@tandem/contract/hidden-text";
import { limits } from "@tandem/contract/limits";
import { originNames } from "@tandem/contract/origins";
import { makeAdmin } from "@tandem/testing/admins";
import type { Caller, Person } from "@tandem/testing/callers";
import { engines, runsOnceTests, startTandem, type Tandem } from "@tandem/testing/tandem";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connectors } from "../../origins/connectors.ts";
import { demoSources } from "./demo.ts";

/** Addresses of each platform's kinds of sources. */
const addresses = [
  ...demoSources().map(({ url }) => url),
  ...["https://www.reddit.com/user/ada/submitted", "https://bsky.app/profile/ada.example/feed/looms"],
  ...[
    "https://lemmy.example/",
    "https://social.example/public/local",
    "https://social.example/tags/b%C3%BCcher",
  ],
  ...["https://tube.example/a/ada", "https://tube.example/", "https://example.org/feed?a=1&b=%22%3C%27"],
];

describe.each(engines)("OPML on %s", (engine) => {
  let tandem: Tandem;
  let admin: Person;
  beforeAll(async () => {
    tandem = await startTandem(engine);
    admin = await tandem.as.human();
    await makeAdmin(tandem.storage, admin);
  });
  afterAll(() => tandem.stop());
  beforeEach(() => tandem.storage.write((tx) => tx.deleteFrom("sources").execute()));

  const fetchFile = (who: Caller) =>
    fetch(tandem.baseUrl + SOURCES_OPML_PATH, { headers: { ...who.options.headers } });
  const importFile = (file: string | Buffer) =>
    admin.importSources({ file: new Blob([new Uint8Array(Buffer.from(file))]) });
  const opml = (outlines: string, before = "") =>
    `${before}<opml version="2.0"><head><title>x</title></head><body>${outlines}</body></opml>`;
  const stored = () =>
    tandem.storage.read
      .selectFrom("sources")
      .select(["platform", "name", "url", "community", "enabled"])
      .orderBy("platform")
      .orderBy("url")
      .execute();

  test("exports sources, and imports the same ones", async () => {
    const text = fc.string({ unit: "grapheme", minLength: 1, maxLength: 60 }).map(
      (name) =>
        withoutHidden(name)
          .replace(/\p{C}|\s/gu, " ")
          .trim()
          .replace(/\s+/g, " ") || "x",
    );
    const source = fc.record({
      platform: fc.constantFrom(...originNames),
      url: fc.constantFrom(...addresses),
      name: fc.oneof(text, fc.constantFrom("&amp;", "]]>", "<b>\"'", "&#x41;", "名前 😀", "é")),
      community: fc.option(text),
      enabled: fc.constantFrom(0, 1),
    });
    const canonical = fc.uniqueArray(source, {
      selector: ({ url, platform }) => url + platform,
      maxLength: 30,
    });
    await fc.assert(
      fc.asyncProperty(canonical, async (sources) => {
        const rows = sources.filter(
          ({ platform, url }) => connectors[platform].recognize(new URL(url))?.url === url,
        );
        fc.pre(rows.length > 0);
        await tandem.storage.write((tx) => tx.deleteFrom("sources").execute());
        await tandem.storage.write((tx) => tx.insertInto("sources").values(rows).execute());
        const before = await stored();
        const file = await (await fetchFile(admin)).text();
        await tandem.storage.write((tx) => tx.deleteFrom("sources").execute());
        expect((await importFile(file)).added).toBe(rows.length);
        expect(await stored()).toEqual(before);
        expect((await importFile(file)).results.every(({ result }) => result === "existing")).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  test("reports what became of each address", async () => {
    const file = opml(
      `<OUTLINE TEXT="News"><outline title="Nested &amp;c" XMLURL="https://a.example/feed?x=1&amp;y=2"/>
        <outline text="HN" xmlUrl="https://news.ycombinator.com/newest"/></OUTLINE>
      <outline text="Sub" type="rss" xmlUrl="https://www.reddit.com/r/looms/.rss"/>
      <outline text="A channel" xmlUrl="https://www.youtube.com/feeds/videos.xml?channel_id=UC1234567890123456789012"/>
      <outline text="Mail" xmlUrl="mailto:ada@example.org"/><outline text="Home" xmlUrl="http://127.0.0.1/feed"/>
      <outline text="Sub again" xmlUrl="https://old.reddit.com/r/looms/new.rss"/><outline text="None"/>`,
    );
    const dry = await admin.call("importSources", { file: new Blob([file]) }, { dryRun: true });
    const { added, results } = await importFile(file);
    expect(dry.body).toMatchObject({ added });
    expect(results.map(({ name, result }) => [name, result])).toEqual([
      ["Nested &c", "added"],
      ["Hacker News: newest", "added"],
      ["r/looms", "added"],
      ["A channel", "added"],
      ["Mail", "invalid"],
      ["Home", "refused"],
      ["r/looms", "existing"],
    ]);
    expect(await stored()).toMatchObject([
      { platform: "hackernews" },
      { platform: "reddit", url: "https://www.reddit.com/r/looms/new" },
      { platform: "rss", name: "Nested &c", url: "https://a.example/feed?x=1&y=2", community: "a.example" },
      { platform: "youtube", community: null },
    ]);
    expect(results[2]?.sourceId).toBe(results[6]?.sourceId);
    await admin.removeSource({ id: results[0]?.sourceId ?? 0 });
    expect((await importFile(file)).results[0]).toMatchObject({
      result: "refused",
      message: expect.any(String),
    });
    const [entry] = (await admin.listAudit({ limit: 1 })).entries;
    expect(entry).toMatchObject({
      act: "importSources",
      detail: expect.stringMatching(/^\{"file":"[\da-f]{64}"\}$/),
    });
  });

  if (!runsOnceTests(engine)) return;

  test("reads other encodings, and nothing but the file", async () => {
    const bomb = `<!DOCTYPE opml [<!ENTITY a "${"a".repeat(99)}"><!ENTITY b "${"&a;".repeat(99)}">]>`;
    const files: [Buffer | string, string][] = [
      [Buffer.from(`﻿${opml('<outline text="Bücher" xmlUrl="https://a.example/1"/>')}`, "utf16le"), "Bücher"],
      [
        Buffer.from(
          opml(
            '<outline text="Bücher" xmlUrl="https://a.example/2"/>',
            '<?xml version="1.0" encoding="ISO-8859-1"?>',
          ),
          "latin1",
        ),
        "Bücher",
      ],
      [opml('<outline text="&b;" xmlUrl="https://a.example/3"/>', bomb), "&b;"],
      [opml('<outline text="&#x202e;x" xmlUrl="https://a.example/4"/>'), "x"],
    ];
    for (const [file, name] of files)
      expect((await importFile(file)).results).toMatchObject([{ name, result: "added" }]);
  });

  test.each([
    ["nothing", ""],
    ["a web page", "<!doctype html><title>x</title>"],
    ["no feeds", opml('<outline text="x"/>')],
    [
      "an external entity",
      opml(
        '<outline xmlUrl="https://a.example/"/>',
        '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
      ),
    ],
    ["deep nesting", opml('<outline text="a">'.repeat(20_000))],
    ["a huge attribute", opml(`<outline text="${"a=".repeat(500_000)}`)],
    [
      "too many feeds",
      opml(
        Array.from(
          { length: limits.opmlSources + 1 },
          (_, i) => `<outline xmlUrl="https://a.example/${i}"/>`,
        ).join(""),
      ),
    ],
    ["too large a file", " ".repeat(limits.opmlBytes + 1)],
  ])("refuses %s", async (_, file) => {
    const { status, body } = await admin.call("importSources", { file: new Blob([file]) });
    expect([status, body.field]).toEqual([400, "file"]);
    expect(await stored()).toEqual([]);
  });

  test("is exported to admins only", async () => {
    const reader = await tandem.as.human();
    const statuses = [tandem.as.anonymous(), reader, admin].map(async (who) => (await fetchFile(who)).status);
    expect(await Promise.all(statuses)).toEqual([401, 403, 200]);
    const { headers } = await fetchFile(admin);
    expect(headers.get("content-type")).toBe("text/x-opml; charset=utf-8");
    expect(headers.get("content-disposition")).toContain("attachment");
  });
});
