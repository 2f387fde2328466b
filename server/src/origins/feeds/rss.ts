import { webAddress } from "../clean/address.ts";
import { plainOf, plainOfEither } from "../clean/text.ts";
import { alternateFilesOf, audioAmong } from "./audio.ts";
import type { Entry, Feed } from "./entry.ts";
import type { MediaRss, RdfFeed, RdfItem, RssFeed, RssItem } from "./formats.ts";
import { maxAgeByHints } from "./fresh.ts";
import { mediaAmong, pictureIn } from "./media.ts";
import { filesOfMediaRss, thumbnailOf } from "./media-rss.ts";
import { provenanceAmong } from "./tandem.ts";

export function feedOfRss(feed: RssFeed, url: string): Feed {
  const { title = "", link, items = [], ttl, sy } = feed;
  const base = webAddress(link, url) ?? url;
  return {
    title: plainOfEither(title),
    link: webAddress(link, url),
    cover: feed.itunes?.image ?? feed.image?.url ?? null,
    entries: items.map((item) => ({
      ...entryOfRss(item, base),
      provenance: provenanceAmong(
        item.categories?.map(({ name, domain }) => ({ value: name, scheme: domain })),
        url,
      ),
    })),
    secondsUntilUpdate: maxAgeByHints(ttl, sy),
  };
}

function entryOfRss(item: RssItem, home: string): Entry {
  const { guid, authors, dc, itunes, enclosures = [], pubDate } = item;
  const permalink = guid?.isPermaLink === false ? undefined : webAddress(guid?.value);
  const link = webAddress(item.link ?? item.atom?.links?.[0]?.href, home) ?? permalink ?? null;
  const [person] = authors ?? [];
  const files = enclosures.map(({ url, type }) => ({ url, type, duration: itunes?.duration }));
  return {
    ...common(item, link ?? home),
    id: guid?.value ?? link,
    link,
    author: person?.name ?? dc?.creators?.[0] ?? itunes?.author ?? withoutEmail(person?.email),
    times: [pubDate, dc?.dates?.[0], item.atom?.published, item.atom?.updated],
    media: mediaAmong([...files, ...filesOfMediaRss(item.media)]),
    audio: audioAmong([...files, ...alternateFilesOf(item), ...filesOfMediaRss(item.media)]),
    thumbnail:
      thumbnailOf(item.media) ?? itunes?.image ?? pictureIn(item.content?.encoded ?? item.description),
  };
}

export function feedOfRdf(feed: RdfFeed, url: string): Feed {
  const { title = "", link, items = [], sy } = feed;
  const base = webAddress(link, url) ?? url;
  return {
    title: plainOfEither(title),
    link: webAddress(link, url),
    cover: null,
    entries: items.map((item) => entryOfRdf(item, base)),
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
    times: [item.dc?.dates?.[0]],
    media: mediaAmong(filesOfMediaRss(item.media)),
    audio: audioAmong(filesOfMediaRss(item.media)),
    thumbnail: thumbnailOf(item.media) ?? pictureIn(item.content?.encoded ?? item.description),
  };
}

interface Written {
  title?: string;
  description?: string;
  content?: { encoded?: string };
  media?: MediaRss;
}

/** The fields that RSS and RDF have in common. */
function common({ title, description, content, media }: Written, base: string) {
  return {
    title: plainOfEither(title ?? media?.title?.value, base),
    body: plainOf(content?.encoded, base) || plainOfEither(description ?? media?.description?.value, base),
    avatar: null,
    likes: null,
    provenance: null,
    base,
  };
}

/** RSS's author field is meant for email addresses, which shouldn't be republished. */
function withoutEmail(email: string | undefined): string | null {
  return email && !email.includes("@") ? email : null;
}
