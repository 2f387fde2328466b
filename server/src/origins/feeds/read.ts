import { limits } from "@tandem/contract/limits";
import { parseFeed } from "feedsmith";
import { decode } from "../clean/charset.ts";
import { OriginError } from "../connector.ts";
import { MOST_ITEMS } from "../visit.ts";
import { feedOfAtom } from "./atom.ts";
import type { Entry, Feed } from "./entry.ts";
import { feedOfJson } from "./json-feed.ts";
import type { Reading } from "./parse-in-thread.ts";
import { feedOfRdf, feedOfRss } from "./rss.ts";

/** One more than are shown, so that what is cut off is known to be. */
const bounds = { maxItems: MOST_ITEMS + 1 };

/** So many pictures and videos of an entry are of use. */
const MOST_MEDIA = 10;
/** More of a text than any post shows. */
const LONGEST = 2 * limits.postBody;

/** The feed, of which no more is given back than is of use, however large it was. Throws {@link OriginError}. */
export function parseAnswer({ bytes, contentType, url }: Reading): Feed {
  const feed = readAs(parse(decode(Buffer.from(bytes), contentType)), url);
  return { ...feed, title: feed.title.slice(0, LONGEST), entries: feed.entries.map(bounded) };
}

function bounded(entry: Entry): Entry {
  const { title, body, author, media, times } = entry;
  return {
    ...entry,
    title: title.slice(0, LONGEST),
    body: body.slice(0, LONGEST),
    author: author?.slice(0, LONGEST) ?? null,
    media: media.slice(0, MOST_MEDIA),
    times: times.map((time) => time?.slice(0, 100)),
  };
}

function readAs({ format, feed }: ReturnType<typeof parse>, url: string): Feed {
  switch (format) {
    case "rss":
      return feedOfRss(feed, url);
    case "atom":
      return feedOfAtom(feed, url);
    case "rdf":
      return feedOfRdf(feed, url);
    case "json":
      return feedOfJson(feed, url);
  }
}

function parse(text: string) {
  try {
    return parseFeed(withoutNoise(text), bounds);
  } catch {
    throw new OriginError("It answered something that isn't a feed.");
  }
}

/** What XML doesn't allow, and stands in feeds all the same: characters before its beginning, and controls anywhere. */
function withoutNoise(text: string): string {
  return text.replace(/(?![\t\n\r])\p{Cc}/gu, "").trimStart();
}
