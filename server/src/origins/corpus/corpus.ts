import { readdirSync, readFileSync } from "node:fs";
import type { OriginPlatform } from "@tandem/contract/origins";
import { type Ask, type Item, OriginError, type PollResult } from "../connector.ts";
import { connectors } from "../connectors.ts";

/* Reads documents of the corpus through their connectors, and compares the items with what a reader expects. */

/** What a person reads in one item of a document. An omitted field isn't in the document. */
interface ExpectedItem {
  title?: string;
  /** The text; a list has one entry per line. Empty lines and indentation aren't compared. */
  body?: string | string[];
  link?: string;
  /** Compared only where it is given. */
  permalink?: string;
  /** Without the host that the connector adds to it in feeds. Compared only where it is given. */
  author?: string;
  avatar?: string;
  /** `link` by default if there is a link, else `text`. */
  mediaType?: string;
  /** The link by default if `mediaType` is `link`. */
  mediaUrl?: string;
  audio?: string;
  thumbnail?: string;
  width?: number;
  height?: number;
  duration?: number;
  alt?: string;
  /** All pictures, if there are several: their addresses, each with its description after a space if it has one. */
  pictures?: string[];
  warning?: string;
  sensitive?: boolean;
  /** The folder's community by default. */
  community?: string;
  score?: number;
  /** The number of comments at the origin. */
  comments?: number;
  provenance?: string;
  postedAt?: string;
}

/** What a person reads in a document: only its items, or more. */
interface ExpectedDocument {
  items: ExpectedItem[];
  /** If given, the document has this many items, and `items` are some of them. */
  count?: number;
  /** The items that the document reports as deleted. */
  gone?: string[];
  /** Text that must not be in any item. */
  absent?: string[];
  /** The header with which the document is served. */
  contentType?: string;
}

/** `refused`: the source can't be used, and its admin is told so. */
export type Expected = ExpectedItem[] | ExpectedDocument | "refused";

interface Folder {
  platform: OriginPlatform;
  /** The source that shows the documents. */
  source: string;
  /** The beginning of the request that gets the document; any other is a 404. */
  request: string;
  /** Answers to other requests, by the beginning of their URL. */
  others?: Record<string, string>;
  contentType: string;
  community: string;
}

const feed: Folder = {
  platform: "rss",
  source: "https://www.example.org/feed",
  request: "https://www.example.org/feed",
  contentType: "application/xml",
  community: "example.org",
};
const json = "application/json; charset=utf-8";
const subreddit = "https://www.reddit.com/r/gardening/new";
const lemmy = {
  platform: "lemmy",
  source: "https://lemmy.example.org/c/garden",
  community: "garden",
} as const;

/** The folders of the corpus, and the source that each plays. */
export const folders: Record<string, Folder> = {
  rss: feed,
  podcast: feed,
  atom: feed,
  rdf: feed,
  "json-feed": { ...feed, contentType: "application/feed+json" },
  encoding: feed,
  hostile: feed,
  tandem: {
    ...feed,
    source: "https://tandem.example.org/feed",
    request: "https://tandem.example.org/feed",
    community: "tandem.example.org",
  },
  reddit: {
    ...{ platform: "reddit", source: subreddit, request: `${subreddit}.json`, contentType: json },
    community: "gardening",
  },
  "reddit-feed": {
    ...{ platform: "reddit", source: subreddit, request: `${subreddit}.rss` },
    ...{ contentType: "application/atom+xml; charset=UTF-8", community: "gardening" },
    others: { [`${subreddit}.json`]: "<!doctype html><title>Blocked</title>" },
  },
  mastodon: {
    ...{ platform: "mastodon", source: "https://social.example.org/tags/garden", contentType: json },
    ...{ request: "https://social.example.org/api/v1/timelines/tag/garden", community: "garden" },
  },
  "lemmy-v3": { ...lemmy, request: "https://lemmy.example.org/api/v3/", contentType: json },
  "lemmy-v4": { ...lemmy, request: "https://lemmy.example.org/api/v4/", contentType: json },
  piefed: {
    ...{ platform: "piefed", source: "https://piefed.example.org/c/garden", contentType: json },
    ...{ request: "https://piefed.example.org/api/alpha/post/list", community: "garden" },
  },
  bluesky: {
    ...{ platform: "bluesky", source: "https://bsky.app/profile/did:plc:gen/feed/garden", contentType: json },
    ...{ request: "https://public.api.bsky.app/xrpc/app.bsky.feed.getFeed", community: "garden" },
  },
  peertube: {
    ...{ platform: "peertube", source: "https://video.example.org/c/garden/videos", contentType: json },
    ...{ request: "https://video.example.org/api/v1/video-channels/garden/videos" },
    community: "garden@video.example.org",
  },
  youtube: {
    ...{ platform: "youtube", source: "https://www.youtube.com/channel/UCaaaaaaaaaaaaaaaaaaaaaa" },
    ...{ request: "https://www.youtube.com/feeds/videos.xml", contentType: "text/xml; charset=UTF-8" },
    community: "The Allotment",
  },
  hackernews: {
    ...{ platform: "hackernews", source: "https://news.ycombinator.com/newest", contentType: json },
    request: "https://hacker-news.firebaseio.com/v0/item/",
    others: { "https://hacker-news.firebaseio.com/v0/newstories.json": "[1]" },
    community: "newest",
  },
};

const folderOf = (name: string) => new URL(`${name}/`, import.meta.url);

/** The documents in a folder, which are all files but the expectations. */
export function documentsIn(name: string): string[] {
  return readdirSync(folderOf(name))
    .filter((file) => file !== "expected.json")
    .sort();
}

export function expectationsIn(name: string): Record<string, Expected> {
  return JSON.parse(readFileSync(new URL("expected.json", folderOf(name)), "utf8"));
}

/** Reads a document, and says in what the result differs from the expected one: nothing if it comes whole. */
export async function differences(name: string, file: string, expected: Expected): Promise<string[]> {
  const folder = folders[name];
  if (!folder) throw new Error(`The folder ${name} isn't in \`folders\`.`);
  const bytes = readFileSync(new URL(file, folderOf(name)));
  const document = typeof expected === "string" || Array.isArray(expected) ? { items: [] } : expected;
  const found = await poll(folder, bytes, document.contentType ?? folder.contentType);
  if (expected === "refused") return found === null ? [] : ["it isn't refused"];
  if (found === null) return ["it is refused"];
  return compared(found, Array.isArray(expected) ? { items: expected } : expected, folder);
}

async function poll(folder: Folder, bytes: Buffer, contentType: string): Promise<PollResult | null> {
  const connector = connectors[folder.platform];
  const place = connector.recognize(new URL(folder.source));
  if (!place) throw new Error(`${folder.source} isn't a source.`);
  const ask: Ask = async (url) => {
    const other = Object.entries(folder.others ?? {}).find(([start]) => url.startsWith(start))?.[1];
    if (other === undefined && !url.startsWith(folder.request)) throw new OriginError("Not found", 404);
    const body = other === undefined ? bytes : Buffer.from(other);
    return { status: 200, url, headers: new Headers({ "content-type": contentType }), bytes: body };
  };
  try {
    return await connector.poll(place, ask);
  } catch (error) {
    if (error instanceof OriginError) return null;
    throw error;
  }
}

function compared({ items, gone }: PollResult, expected: ExpectedDocument, folder: Folder): string[] {
  const { count = expected.items.length, absent = [] } = expected;
  const all = JSON.stringify(items);
  const pairs = expected.items.map((one, i) => {
    // With a count, the listed items are anywhere in the document.
    const found = expected.count === undefined ? items[i] : items.find(({ title }) => title === one.title);
    return { one, found };
  });
  return [
    ...(items.length === count ? [] : [`${items.length} items instead of ${count}`]),
    ...(new Set(items.map(({ key }) => key)).size === items.length ? [] : ["two items have the same key"]),
    ...same("gone", gone, expected.gone ?? []),
    ...absent.filter((text) => all.includes(text)).map((text) => `${text} is shown`),
    ...pairs.flatMap(({ one, found }, i) =>
      found
        ? fieldsCompared(one, found, folder).map((text) => `item ${i + 1}: ${text}`)
        : [`item ${i + 1} is missing`],
    ),
  ];
}

function fieldsCompared(one: ExpectedItem, item: Item, folder: Folder): string[] {
  const found: Record<string, unknown> = { ...item };
  const mediaType = one.mediaType ?? (one.link ? "link" : "text");
  const author = folder.platform === "rss" ? item.author.replace(/@[^@]*$/, "") : item.author;
  return [
    ...same("title", item.title, one.title),
    ...same("body", linesOf(item.body), linesOf(one.body)),
    ...same("link", item.link, one.link),
    ...(one.permalink ? same("permalink", item.permalink, one.permalink) : []),
    ...(one.author ? same("author", author, one.author) : []),
    ...same("avatar", item.authorAvatarUrl, one.avatar),
    ...same("mediaType", item.mediaType, mediaType),
    ...same("mediaUrl", item.mediaUrl, one.mediaUrl ?? (mediaType === "link" ? one.link : undefined)),
    ...same("audio", found.audioUrl, one.audio),
    ...same("thumbnail", item.thumbnailUrl, one.thumbnail),
    ...same("width", item.width, one.width),
    ...same("height", item.height, one.height),
    ...same("duration", item.durationSeconds, one.duration),
    ...same("alt", item.alt, one.alt),
    ...same("pictures", item.pictures.length > 0 ? item.pictures.map(({ url, alt }) => [url, alt].filter(Boolean).join(" ")) : null, one.pictures),
    ...same("warning", item.contentWarning, one.warning),
    ...same("sensitive", item.sensitive, one.sensitive ?? false),
    ...same("community", item.community, one.community ?? folder.community),
    ...same("score", item.score, one.score),
    ...same("comments", found.commentCount, one.comments),
    ...same("provenance", item.provenance, one.provenance),
    ...same("postedAt", item.postedAt, one.postedAt && Date.parse(one.postedAt)),
  ];
}

function linesOf(text: string | string[] | null | undefined): string[] {
  const lines = Array.isArray(text) ? text : (text ?? "").split("\n");
  return lines.map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean);
}

function same(field: string, found: unknown, expected: unknown): string[] {
  const [given, wanted] = [found, expected].map((value) => JSON.stringify(value ?? null));
  return given === wanted ? [] : [`${field}: ${given} instead of ${wanted}`];
}
