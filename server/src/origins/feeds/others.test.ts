import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentsOf } from "@tandem/testing/programs";
import { beforeAll, describe, expect, test } from "vitest";
import { itemOf } from "../clean/item.ts";
import { at, listAt, stringAt } from "../clean/json.ts";
import { plainOfEither } from "../clean/text.ts";
import { OriginError } from "../connector.ts";
import type { Entry, Feed } from "./entry.ts";
import { parseResponse } from "./read.ts";

/** Another feed parser, with some hundred test documents and its result for each. Most are a feed with one oddity. */
const PACKAGE = "golang-github-mmcdole-gofeed-dev";
const DOCUMENTS = "usr/share/gocode/src/github.com/mmcdole/gofeed/testdata";

/** A relative id with an `xml:base`. RFC 4287 allows only absolute ids, and ours has the site in front of it. */
const differing = ["entry_id_xml_base.xml"];

interface Document {
  name: string;
  bytes: Buffer;
  /** The entries as its own parser reads them. */
  entries: unknown[];
}

describe("test documents of another feed parser", () => {
  let documents: Document[] = [];
  beforeAll(async () => {
    const folder = join(await contentsOf(PACKAGE), DOCUMENTS);
    documents = ["rss", "atom"].flatMap((format) => [
      ...documentsIn(join(folder, "parser", format)),
      ...documentsIn(join(folder, "translator", format)),
    ]);
    expect(documents.length).toBeGreaterThan(400);
  });

  const read = ({ bytes }: Document): Feed | null => {
    try {
      return parseResponse({ bytes, contentType: null, url: "https://example.org/feed" });
    } catch (error) {
      if (error instanceof OriginError) return null;
      throw error;
    }
  };

  test("are parsed, except those without content", () => {
    const refused = documents.filter((document) => read(document) === null);
    const shown = ["title", "link", "links", "description", "summary", "content"];
    const wrongly = refused.filter(({ entries }) =>
      entries.some((one) => shown.some((name) => at(one, name))),
    );
    expect(wrongly.map(({ name }) => name)).toEqual([]);
    expect(refused.length).toBeLessThan(documents.length / 10);
  });

  test("yield the same titles, links, ids and times", () => {
    const differences: string[] = [];
    for (const document of documents) {
      const feed = read(document);
      if (!feed) continue;
      // Only a draft of Atom had base64 texts, which no feed uses today.
      const expected = document.entries.map((entry) => expectedOf(entry, document.name.includes("base64")));
      const ours = feed.entries.map((entry, i) => oursLike(entry, expected[i]));
      if (JSON.stringify(ours) !== JSON.stringify(expected)) differences.push(document.name);
    }
    expect(differences).toEqual(differing);
  });
});

function documentsIn(folder: string): Document[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".xml"));
  return names.map((name) => {
    const result: unknown = JSON.parse(readFileSync(join(folder, name.replace(/xml$/, "json")), "utf8"));
    const entries = [...listAt(result, "items"), ...listAt(result, "entries")];
    return { name, bytes: readFileSync(join(folder, name)), entries };
  });
}

interface ExpectedEntry {
  title?: string;
  link?: string;
  id?: string;
  time?: number;
}

function expectedOf(entry: unknown, isBase64: boolean): ExpectedEntry {
  const title = stringAt(entry, "title");
  const link = stringAt(entry, "link") ?? stringAt(entry, "links", 0, "href");
  const id = stringAt(entry, "guid", "value") ?? stringAt(entry, "guid") ?? stringAt(entry, "id");
  const time = ["publishedParsed", "pubDateParsed"].map((name) => stringAt(entry, name)).find(Boolean);
  return {
    ...(title && !isBase64 && { title: onOneLine(plainOfEither(plainOfEither(title))) }),
    ...(link && URL.canParse(link) && { link: new URL(link).href }),
    ...(id && URL.canParse(id) && { id }),
    ...(time && { time: Date.parse(time) }),
  };
}

/** Our entry, reduced to the fields that the other parser has. */
function oursLike({ title, link, id, times }: Entry, expected: ExpectedEntry = {}): object {
  const item = itemOf({ key: "1", title: "1", postedAt: times.find(Boolean) });
  const ours = { title: onOneLine(plainOfEither(title)), link, id, time: item?.postedAt };
  return Object.fromEntries(Object.keys(expected).map((name) => [name, ours[name as keyof ExpectedEntry]]));
}

function onOneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
