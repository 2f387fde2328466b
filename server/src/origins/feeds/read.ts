import { limits } from "@tandem/contract/limits";
import { parseAtomFeed, parseJsonFeed, parseRdfFeed, parseRssFeed } from "feedsmith";
import { Parser } from "htmlparser2";
import { decode } from "../clean/charset.ts";
import { listAt } from "../clean/json.ts";
import { OriginError } from "../connector.ts";
import { feedOfAtom } from "./atom.ts";
import type { Entry, Feed } from "./entry.ts";
import { linksOfJson, linksOfXml } from "./hub.ts";
import { asJsonFeed, feedOfJson } from "./json-feed.ts";
import type { Reading } from "./parse-in-thread.ts";
import { feedOfRdf, feedOfRss } from "./rss.ts";
import { provenancesIn } from "./tandem.ts";

/** The most entries of a feed that are looked at: more than any podcast has. The newest of them are used. */
const bounds = { maxItems: 20_000 };

/** The most pictures and videos per entry. */
const MAX_MEDIA = 10;
/** The most characters in which the root element begins. */
const MAX_HEAD = 10_000;
/** The characters that are searched for an entry at a time. */
const PIECE = 65_536;
/** Longer than any post's text. */
const MAX_LENGTH = 2 * limits.postBody;

/** Parses a feed and truncates it to what is used. Throws {@link OriginError}. */
export function parseResponse({ bytes, contentType, url }: Reading): Feed {
  const text = withoutNoise(decode(Buffer.from(bytes), contentType));
  const feed = text.startsWith("{") ? readJson(text, url) : readXml(text, url);
  return { ...feed, title: feed.title.slice(0, MAX_LENGTH), entries: feed.entries.map(bounded) };
}

function bounded(entry: Entry): Entry {
  const { title, body, author, media, times } = entry;
  return {
    ...entry,
    title: title.slice(0, MAX_LENGTH),
    body: body.slice(0, MAX_LENGTH),
    author: author?.slice(0, MAX_LENGTH) ?? null,
    media: media.slice(0, MAX_MEDIA),
    times: times.map((time) => time?.slice(0, 100)),
  };
}

function readJson(text: string, url: string): Feed {
  const json = parsed((): unknown => JSON.parse(text));
  const feed = parsed(() => parseJsonFeed(asJsonFeed(json), bounds));
  if (!feed) throw new OriginError("The response isn't a feed.");
  const read = { ...feedOfJson(feed, url, provenancesIn(json, url)), hubLinks: linksOfJson(feed) };
  return withEntries(read, () => listAt(json, "items").length > 0);
}

function readXml(text: string, url: string): Feed {
  const feed = readAsAny(text, url);
  if (!feed) throw new OriginError("The response isn't a feed.");
  return withEntries(feed, () => hasEntries(text));
}

/** A feed without entries is fine, unless there are some that the parser doesn't find. */
function withEntries(feed: Feed, hasOthers: () => boolean): Feed {
  if (feed.entries.length === 0 && hasOthers())
    throw new OriginError("The feed's entries aren't where its format has them.");
  return feed;
}

/** Tries each format, because an Atom feed can quote RSS, and RSS can be in a namespace that the parser expects elsewhere. */
function readAsAny(text: string, url: string): Feed | null {
  const rss = parsed(() => parseRssFeed(text, bounds));
  if (rss) return { ...feedOfRss(rss, url), hubLinks: linksOfXml(rss) };
  const atom = parsed(() => parseAtomFeed(text, bounds));
  if (atom) return { ...feedOfAtom(atom, url), hubLinks: linksOfXml(atom) };
  const rdf = parsed(() => parseRdfFeed(text, bounds));
  if (rdf) return { ...feedOfRdf(rdf, url), hubLinks: linksOfXml(rdf) };
  const bare = parsed(() => parseRssFeed(withoutNamespace(text), bounds));
  return bare && { ...feedOfRss(bare, url), hubLinks: linksOfXml(bare) };
}

/** Null if the parser refuses the document. */
function parsed<Result>(parse: () => Result): Result | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

/** Removes the default namespace of RSS, which has none. */
function withoutNamespace(text: string): string {
  const start = text.slice(0, MAX_HEAD);
  return start.replace(/(<rss\s[^<>]*?)\sxmlns\s*=\s*(?:"[^"]*"|'[^']*')/i, "$1") + text.slice(MAX_HEAD);
}

/** Whether a document has an element for an entry, anywhere. */
function hasEntries(text: string): boolean {
  let found = false;
  const parser = new Parser(
    {
      onopentagname(name) {
        if (/^(?:.*:)?(?:item|entry)$/i.test(name)) found = true;
      },
    },
    { xmlMode: true },
  );
  for (let i = 0; i < text.length && !found; i += PIECE) parser.write(text.slice(i, i + PIECE));
  return found;
}

/** Removes what XML forbids but feeds contain: control characters, and white space at the start. */
function withoutNoise(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "").trimStart();
}
