import { webAddress } from "../clean/address.ts";
import { at } from "../clean/json.ts";
import { plainOf } from "../clean/text.ts";
import { audioAmong } from "./audio.ts";
import type { Entry, Feed } from "./entry.ts";
import type { JsonFeed, JsonItem } from "./formats.ts";
import { mediaAmong } from "./media.ts";
import { newestOf } from "./newest.ts";
import { pictureIn } from "./picture.ts";

type Author = { name?: string; avatar?: string } | undefined;

export function feedOfJson(feed: JsonFeed, url: string, provenances: ReadonlyMap<string, string>): Feed {
  const [author] = feed.authors ?? [];
  const { items = [] } = feed;
  const newest = newestOf(items, timesOf);
  return {
    title: feed.title ?? "",
    link: webAddress(feed.home_page_url, url),
    cover: feed.icon ?? null,
    omitted: items.length - newest.length,
    entries: newest.map((item) => ({
      ...entryOf(item, url, author),
      provenance: provenances.get(item.id ?? "") ?? null,
    })),
    secondsUntilUpdate: null,
  };
}

function entryOf(item: JsonItem, url: string, feedAuthor: Author): Omit<Entry, "provenance"> {
  const link = webAddress(item.url, url) ?? webAddress(item.external_url, url);
  const base = link ?? url;
  const author = item.authors?.[0] ?? feedAuthor;
  const files = (item.attachments ?? []).map((file) => ({
    url: file.url,
    type: file.mime_type,
    duration: file.duration_in_seconds,
    alt: file.title,
  }));
  return {
    id: item.id ?? link,
    link,
    title: item.title ?? "",
    body: plainOf(item.content_html, base) || (item.content_text ?? item.summary ?? ""),
    author: author?.name ?? null,
    avatar: author?.avatar ?? null,
    times: timesOf(item),
    media: mediaAmong(files),
    audio: audioAmong(files),
    thumbnail: item.image ?? item.banner_image ?? pictureIn(item.content_html),
    likes: null,
    commentCount: null,
    thread: null,
    // The format has no such mark.
    sensitive: false,
    base,
  };
}

function timesOf({ date_published, date_modified }: JsonItem): (string | undefined)[] {
  return [date_published, date_modified];
}

/**
 * A JSON Feed as the parser accepts it, which refuses versions that aren't spelled as in the specification; null if the
 * document is no JSON Feed.
 */
export function asJsonFeed(json: unknown): object | null {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return null;
  const { version, ...rest } = json as { version?: unknown };
  const named = typeof version === "string" && /json\s*feed/i.test(version);
  return named && Array.isArray(at(rest, "items")) ? { ...rest, version: SPELLED } : rest;
}

const SPELLED = "https://jsonfeed.org/version/1.1";
