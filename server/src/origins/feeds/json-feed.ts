import { webAddress } from "../clean/address.ts";
import { plainOf } from "../clean/text.ts";
import { audioAmong } from "./audio.ts";
import type { Entry, Feed } from "./entry.ts";
import type { JsonFeed, JsonItem } from "./formats.ts";
import { mediaAmong, pictureIn } from "./media.ts";

type Author = { name?: string; avatar?: string } | undefined;

export function feedOfJson(feed: JsonFeed, url: string, provenances: ReadonlyMap<string, string>): Feed {
  const [author] = feed.authors ?? [];
  return {
    title: feed.title ?? "",
    link: webAddress(feed.home_page_url, url),
    cover: feed.icon ?? null,
    entries: (feed.items ?? []).map((item) => ({
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
    times: [item.date_published, item.date_modified],
    media: mediaAmong(files),
    audio: audioAmong(files),
    thumbnail: item.image ?? item.banner_image ?? pictureIn(item.content_html),
    likes: null,
    base,
  };
}
