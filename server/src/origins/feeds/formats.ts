import type { parseFeed } from "feedsmith";

type Parsed = ReturnType<typeof parseFeed<string>>;
type Of<Format extends string> = Extract<Parsed, { format: Format }>["feed"];

/** Parsed feeds of each format; dates are strings. */
export type RssFeed = Of<"rss">;
export type RdfFeed = Of<"rdf">;
export type AtomFeed = Of<"atom">;
export type JsonFeed = Of<"json">;

export type RssItem = NonNullable<RssFeed["items"]>[number];
export type RdfItem = NonNullable<RdfFeed["items"]>[number];
export type AtomEntry = NonNullable<AtomFeed["entries"]>[number];
export type JsonItem = NonNullable<JsonFeed["items"]>[number];

/** An entry's Media RSS extension, the same in all formats. */
export type MediaRss = NonNullable<RssItem["media"]>;
