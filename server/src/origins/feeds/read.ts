import { parseFeed } from "feedsmith";
import { decode } from "../clean/charset.ts";
import { type Answer, OriginError } from "../connector.ts";
import { MOST_ITEMS } from "../visit.ts";
import { feedOfAtom } from "./atom.ts";
import type { Feed } from "./entry.ts";
import { feedOfJson } from "./json-feed.ts";
import { feedOfRdf, feedOfRss } from "./rss.ts";

/** One more than are shown, so that what is cut off is known to be. */
const reading = { maxItems: MOST_ITEMS + 1 };

/** The feed that an origin answered: RSS, Atom, RDF or JSON Feed. Throws {@link OriginError}. */
export function readFeed(answer: Pick<Answer, "bytes" | "headers" | "url">): Feed {
  const { format, feed } = parse(decode(answer.bytes, answer.headers.get("content-type")));
  switch (format) {
    case "rss":
      return feedOfRss(feed, answer.url);
    case "atom":
      return feedOfAtom(feed, answer.url);
    case "rdf":
      return feedOfRdf(feed, answer.url);
    case "json":
      return feedOfJson(feed, answer.url);
  }
}

function parse(text: string) {
  try {
    return parseFeed(withoutNoise(text), reading);
  } catch {
    throw new OriginError("It answered something that isn't a feed.");
  }
}

/** What XML doesn't allow, and stands in feeds all the same: characters before its beginning, and controls anywhere. */
function withoutNoise(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "").trimStart();
}
