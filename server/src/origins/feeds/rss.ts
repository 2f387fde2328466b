import { webAddress } from "../clean/address.ts";
import { longest, plainOf, plainOfEither } from "../clean/text.ts";
import { alternate } from "./atom.ts";
import { alternateFilesOf, audioAmong } from "./audio.ts";
import type { Entry, Feed } from "./entry.ts";
import type { RdfFeed, RdfItem, RssFeed, RssItem } from "./formats.ts";
import { maxAgeByHints } from "./fresh.ts";
import { mediaAmong } from "./media.ts";
import { filesOfMediaRss, isRatedAdult, thumbnailOf } from "./media-rss.ts";
import { newestOf } from "./newest.ts";
import { pictureIn } from "./picture.ts";
import { provenanceAmong } from "./tandem.ts";

export function feedOfRss(feed: RssFeed, url: string): Feed {
  const { title = feed.dc?.titles?.[0] ?? feed.itunes?.title, link, items = [], ttl, sy } = feed;
  const base = webAddress(feed.xml?.base ?? link, url) ?? url;
  const newest = newestOf(items, timesOfRss);
  return {
    title: plainOfEither(title),
    link: webAddress(link, url),
    cover: feed.itunes?.image ?? feed.image?.url ?? null,
    omitted: items.length - newest.length,
    entries: newest.map((item) => ({
      ...entryOfRss(item, base),
      // The show's mark is also that of episodes without one.
      sensitive: isRatedAdult(item.media) || (item.itunes?.explicit ?? feed.itunes?.explicit) === true,
      provenance: provenanceAmong(
        item.categories?.map(({ name, domain }) => ({ value: name, scheme: domain })),
        url,
      ),
    })),
    secondsUntilUpdate: maxAgeByHints(ttl, sy),
  };
}

function entryOfRss(item: RssItem, feedBase: string): Entry {
  const { guid, authors, dc, itunes, enclosures = [] } = item;
  const home = webAddress(item.xml?.base, feedBase) ?? feedBase;
  const permalink = guid?.isPermaLink === false ? undefined : webAddress(guid?.value);
  const link = webAddress(item.link, home) ?? alternate(item.atom?.links, home) ?? permalink ?? null;
  const [person] = authors ?? [];
  const files = enclosures.map(({ url, type }) => ({ url, type, duration: itunes?.duration }));
  return {
    ...common(item, link ?? home),
    id: guid?.value ?? link,
    link,
    author:
      person?.name ??
      dc?.creators?.[0] ??
      itunes?.author ??
      item.atom?.authors?.[0]?.name ??
      withoutEmail(person?.email),
    times: timesOfRss(item),
    media: mediaAmong([...files, ...filesOfMediaRss(item.media)]),
    audio: audioAmong([...files, ...alternateFilesOf(item), ...filesOfMediaRss(item.media)]),
    commentCount: item.slash?.comments ?? item.thr?.total ?? null,
    thread: webAddress(item.comments, link ?? home),
    thumbnail:
      thumbnailOf(item.media) ?? itunes?.image ?? pictureIn(item.content?.encoded ?? item.description),
  };
}

function timesOfRss({ pubDate, dc, dcterms, atom }: RssItem): (string | undefined)[] {
  return withTerms([pubDate, dc?.dates?.[0], atom?.published, atom?.updated], dcterms);
}

/** Adds times only where there is none: the others are part of the keys of entries that have neither id nor link (`keyOf`). */
function withTerms(
  times: (string | undefined)[],
  terms: { issued?: string[]; created?: string[] } | undefined,
): (string | undefined)[] {
  return times.some(Boolean) || !terms ? times : [...times, terms.issued?.[0], terms.created?.[0]];
}

export function feedOfRdf(feed: RdfFeed, url: string): Feed {
  const { title = feed.dc?.titles?.[0], link, items = [], sy } = feed;
  const base = webAddress(feed.xml?.base ?? link, url) ?? url;
  const newest = newestOf(items, timesOfRdf);
  return {
    title: plainOfEither(title),
    link: webAddress(link, url),
    cover: null,
    omitted: items.length - newest.length,
    entries: newest.map((item) => entryOfRdf(item, base)),
    secondsUntilUpdate: maxAgeByHints(undefined, sy),
  };
}

function entryOfRdf(item: RdfItem, home: string): Entry {
  const link = webAddress(item.link, home) ?? webAddress(item.rdf?.about);
  return {
    ...common(item, link ?? home),
    id: item.rdf?.about ?? link,
    link,
    author: item.dc?.creators?.[0] ?? null,
    times: timesOfRdf(item),
    media: mediaAmong(filesOfMediaRss(item.media)),
    audio: audioAmong(filesOfMediaRss(item.media)),
    commentCount: item.slash?.comments ?? null,
    thread: null,
    thumbnail: thumbnailOf(item.media) ?? pictureIn(item.content?.encoded ?? item.description),
  };
}

function timesOfRdf({ dc, dcterms }: RdfItem): (string | undefined)[] {
  return withTerms([dc?.dates?.[0]], dcterms);
}

/** The fields that RSS and RDF have in common. */
function common(item: RssItem | RdfItem, base: string) {
  const { title, description, content, dc, atom, media, xml } = item;
  const itunes = "itunes" in item ? item.itunes : undefined;
  const inside = webAddress(xml?.base, base) ?? base;
  const plain = (text: string | undefined) => plainOfEither(text, inside);
  return {
    title: plain(title ?? dc?.titles?.[0] ?? itunes?.title ?? atom?.title?.value ?? media?.title?.value),
    body:
      longest([plainOf(content?.encoded, inside), plain(description), plain(itunes?.summary)]) ||
      plain(dc?.descriptions?.[0]) ||
      longest([plain(atom?.content?.value), plain(atom?.summary?.value)]) ||
      plain(media?.description?.value ?? itunes?.subtitle),
    avatar: null,
    likes: null,
    provenance: null,
    sensitive: isRatedAdult(media),
    base,
  };
}

/** RSS's author field is meant for email addresses, which shouldn't be republished. */
function withoutEmail(email: string | undefined): string | null {
  return email && !email.includes("@") ? email : null;
}
