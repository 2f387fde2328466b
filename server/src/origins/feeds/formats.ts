import type { parseFeed } from "feedsmith";

type Parsed = ReturnType<typeof parseFeed<string>>;
type Of<Format extends string> = Extract<Parsed, { format: Format }>["feed"];

/** Feeds of each format, in the words of that format; dates as they are written. */
export type RssFeed = Of<"rss">;
export type RdfFeed = Of<"rdf">;
export type AtomFeed = Of<"atom">;
export type JsonFeed = Of<"json">;

export type RssItem = NonNullable<RssFeed["items"]>[number];
export type RdfItem = NonNullable<RdfFeed["items"]>[number];
export type AtomEntry = NonNullable<AtomFeed["entries"]>[number];
export type JsonItem = NonNullable<JsonFeed["items"]>[number];

/** Media RSS as it stands at an entry, the same in all formats. */
export type MediaRss = NonNullable<RssItem["media"]>;
