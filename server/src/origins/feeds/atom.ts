import { webAddress } from "../clean/address.ts";
import { longest, plainOf, plainOfEither } from "../clean/text.ts";
import { audioAmong } from "./audio.ts";
import type { Entry, Feed } from "./entry.ts";
import type { AtomEntry, AtomFeed, MediaRss } from "./formats.ts";
import { maxAgeByHints } from "./fresh.ts";
import { mediaAmong } from "./media.ts";
import { filesOfMediaRss, isRatedAdult, thumbnailOf } from "./media-rss.ts";
import { newestOf } from "./newest.ts";
import { pictureIn } from "./picture.ts";
import { provenanceAmong } from "./tandem.ts";

type Person = { name?: string } | undefined;
type Text = { value?: string; type?: string; xml?: { base?: string } };
type Link = { href?: string; rel?: string; type?: string };

export function feedOfAtom(feed: AtomFeed, url: string): Feed {
  const base = webAddress(feed.xml?.base, url) ?? url;
  const [author] = feed.authors ?? [];
  const { entries = [] } = feed;
  const newest = newestOf(entries, timesOf);
  return {
    title: plain(feed.title, base),
    link: alternate(feed.links, base),
    cover: feed.logo ?? feed.icon ?? null,
    omitted: entries.length - newest.length,
    entries: newest.map((entry) => ({
      ...entryOf(entry, base, author),
      provenance: provenanceAmong(
        entry.categories?.map(({ term, scheme }) => ({ value: term, scheme })),
        url,
      ),
    })),
    secondsUntilUpdate: maxAgeByHints(undefined, feed.sy),
  };
}

function entryOf(entry: AtomEntry, home: string, feedAuthor: Person): Omit<Entry, "provenance"> {
  const { content, links = [], summary, media, authors, source } = entry;
  const base = webAddress(entry.xml?.base, home) ?? home;
  const link = alternate(links, base) ?? webAddress(content?.src, base);
  const files = [
    ...links.filter(({ rel }) => rel === "enclosure").map(({ href, type }) => ({ url: href, type })),
    ...filesOfMediaRss(media),
    ...(content?.src ? [{ url: content.src, type: content.type }] : []),
  ];
  const html = isHtml(content) ? content?.value : undefined;
  return {
    id: entry.id ?? link,
    link,
    title: plain(entry.title, base) || (media?.title?.value ?? ""),
    body: longest([plain(content, base), plain(summary, base)]) || descriptionOf(media),
    author:
      (authors?.[0] ?? source?.authors?.[0])?.name ?? entry.dc?.creators?.[0] ?? feedAuthor?.name ?? null,
    avatar: null,
    times: timesOf(entry),
    media: mediaAmong(files),
    audio: audioAmong(files),
    thumbnail:
      thumbnailOf(media) ?? webAddress(pictureIn(html), webAddress(content?.xml?.base, base) ?? base),
    likes: likesOf(media),
    commentCount: entry.thr?.total ?? entry.slash?.comments ?? null,
    thread: repliesOf(links, base),
    sensitive: isRatedAdult(media) || entry.itunes?.explicit === true,
    base,
  };
}

function timesOf({ published, updated, dc }: AtomEntry): (string | undefined)[] {
  return [published, updated, dc?.dates?.[0]];
}

/** Atom texts have a type. Those without one should be plain, but some feeds put markup there. */
function plain(text: Text | undefined, home: string): string {
  const base = webAddress(text?.xml?.base, home) ?? home;
  if (isHtml(text)) return plainOf(text?.value, base);
  return text?.type ? (text.value ?? "") : plainOfEither(text?.value, base);
}

function isHtml(text: { type?: string } | undefined): boolean {
  return /html/i.test(text?.type ?? "");
}

/** The page that is among links. */
export function alternate(links: Link[] | undefined, base: string): string | null {
  const pages = (links ?? []).filter(
    ({ rel = "alternate", href }) => rel === "alternate" && webAddress(href, base),
  );
  const page = pages.find(({ type = "text/html" }) => /html/i.test(type)) ?? pages[0];
  return webAddress(page?.href, base);
}

/** The page with an entry's comments; a link of another type leads to their feed. */
function repliesOf(links: Link[], base: string): string | null {
  const page = links.find(({ rel, type = "text/html" }) => rel === "replies" && /html/i.test(type));
  return webAddress(page?.href, base);
}

function descriptionOf(media: MediaRss | undefined): string {
  const places = [media, ...(media?.groups ?? [])];
  return places.find((place) => place?.description)?.description?.value ?? "";
}

/** The number of star ratings, which is how YouTube publishes likes. */
function likesOf(media: MediaRss | undefined): number | null {
  const places = [media, ...(media?.groups ?? [])];
  return places.find((place) => place?.community)?.community?.starRating?.count ?? null;
}
