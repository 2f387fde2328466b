import { limits } from "@tandem/contract/limits";
import { parseFeed } from "feedsmith";
import { decode } from "../clean/charset.ts";
import { OriginError } from "../connector.ts";
import { MAX_ITEMS } from "../poll.ts";
import { feedOfAtom } from "./atom.ts";
import type { Entry, Feed } from "./entry.ts";
import { linksOfJson, linksOfXml } from "./hub.ts";
import { feedOfJson } from "./json-feed.ts";
import type { Reading } from "./parse-in-thread.ts";
import { feedOfRdf, feedOfRss } from "./rss.ts";
import { provenancesIn } from "./tandem.ts";

/** One more than is used, so that truncation is noticed. */
const bounds = { maxItems: MAX_ITEMS + 1 };

/** The most pictures and videos per entry. */
const MAX_MEDIA = 10;
/** Longer than any post's text. */
const MAX_LENGTH = 2 * limits.postBody;

/** Parses a feed and truncates it to what is used. Throws {@link OriginError}. */
export function parseResponse({ bytes, contentType, url }: Reading): Feed {
  const text = withoutNoise(decode(Buffer.from(bytes), contentType));
  const parsed = parse(text);
  const feed = readAs(parsed, text, url);
  const hubLinks = parsed.format === "json" ? linksOfJson(parsed.feed) : linksOfXml(parsed.feed);
  return { ...feed, hubLinks, title: feed.title.slice(0, MAX_LENGTH), entries: feed.entries.map(bounded) };
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

function readAs({ format, feed }: ReturnType<typeof parse>, text: string, url: string): Feed {
  switch (format) {
    case "rss":
      return feedOfRss(feed, url);
    case "atom":
      return feedOfAtom(feed, url);
    case "rdf":
      return feedOfRdf(feed, url);
    case "json":
      return feedOfJson(feed, url, provenancesIn(text, url));
  }
}

function parse(text: string) {
  try {
    return parseFeed(text, bounds);
  } catch {
    throw new OriginError("The response isn't a feed.");
  }
}

/** Removes what XML forbids but feeds contain: control characters, and white space at the start. */
function withoutNoise(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "").trimStart();
}
