import { createHash } from "node:crypto";
import type { RawItem } from "./clean/item.ts";
import { nameOf } from "./clean/text.ts";
import { firstTime, timeOf } from "./clean/time.ts";
import { type Ask, type Connector, OriginError, type PollResult, type SourceAddress } from "./connector.ts";
import type { Entry, Feed } from "./feeds/entry.ts";
import { namedHub } from "./feeds/hub.ts";
import { readFeed } from "./feeds/parse-in-thread.ts";
import { isNewestFirst, itemsOf, maxAgeOf, unchangedResult } from "./poll.ts";
import { SkipList } from "./skips.ts";

export const feedTypes =
  "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/**
 * Feeds of any web site: RSS, Atom, RDF and JSON Feed. Articles become links to their pages, with the host as community.
 * There are no scores. An entry becomes a video if it has one, or a picture if it has no link. Audio is beside either, or is the
 * link of an entry with neither.
 */
export const rss: Connector = {
  platform: "rss",

  /** Any URL can be a feed; only its content tells. */
  recognize(address) {
    const community = siteOf(address);
    return { url: address.href, name: community, community };
  },

  keysBegin,

  poll: (place, ask) => pollFeed(place, ask, rawItemOf, { uninvited: true }),
};

interface FeedOptions {
  /** The feed's URL, if it isn't the source's own. */
  url?: string;
  uninvited?: boolean;
}

/** Polls a feed, and converts each entry with the platform's `toRawItem`. */
export async function pollFeed(
  place: SourceAddress,
  ask: Ask,
  toRawItem: (entry: Entry, place: SourceAddress, feed: Feed) => RawItem,
  { url = place.url, uninvited = false }: FeedOptions = {},
): Promise<PollResult> {
  const response = await ask(url, { accept: feedTypes, uninvited });
  if (response.status === 304) return unchangedResult(response);
  const feed = await readFeed(response);
  const { entries } = feed;
  const skipped = new SkipList();
  const items = await itemsOf(entries, (entry) => toRawItem(entry, place, feed), skipped);
  skipped.count("too_many", feed.omitted);
  if (items.length === 0 && entries.length > 0)
    throw new OriginError("None of the feed's entries could be read.");
  const hints = [feed.secondsUntilUpdate, maxAgeOf(response.headers)].filter((hint) => hint !== null);
  return {
    items,
    unchanged: false,
    skipped,
    gone: [],
    complete: feed.omitted === 0 && items.length === entries.length && isNewestFirst(timesOf(entries)),
    askAgainAfter: hints.length > 0 ? Math.max(...hints) : null,
    hub: namedHub(response, feed.hubLinks),
  };
}

/** Infinity for entries without a time, so that the feed's order counts as unknown. */
function timesOf(entries: Entry[]): number[] {
  return entries.map(({ times: [first] }) => timeOf(first, Number.POSITIVE_INFINITY));
}

function rawItemOf(entry: Entry, place: SourceAddress, feed: Feed): RawItem {
  const { link, media, audio, base } = entry;
  const [first] = media;
  return {
    key: keyOf(entry, place),
    permalink: link,
    link,
    author: authorOf(entry, place, feed),
    authorAvatarUrl: entry.avatar,
    title: entry.title,
    body: entry.body,
    media: first && (first.type === "video" || !link) ? first : null,
    audio,
    thumbnailUrl:
      entry.thumbnail ?? (first?.type === "video" ? null : first?.url) ?? (audio ? feed.cover : null),
    community: place.community,
    commentCount: entry.commentCount,
    thread: entry.thread,
    provenance: entry.provenance,
    sensitive: entry.sensitive,
    postedAt: firstTime(entry.times),
    base,
  };
}

/** Adds the site to the author's name, because many sites have an author called "admin". */
function authorOf({ author }: Entry, { url, name }: SourceAddress, feed: Feed): string {
  const site = siteOf(new URL(url));
  const called = author ?? nameOf(feed.title) ?? name;
  return called === site ? site : `${called}@${site}`;
}

function keyOf({ id, link, title, body, times, audio }: Entry, place: SourceAddress): string {
  const own =
    whole(id, link) ??
    link ??
    createHash("sha256")
      .update(JSON.stringify([title, body, times, ...(title || body || !audio ? [] : [audio.url])]))
      .digest("hex");
  return keysBegin(place) + own;
}

/** A bare number is an id only together with the link, because two feeds of a site may use the same numbers. */
function whole(id: string | null, link: string | null): string | null {
  return id !== null && link !== null && /^\d+$/.test(id) ? `${id} ${link}` : id;
}

/**
 * Prefixes keys with the site, because an entry's id may be a bare number or the id of another site's item: a feed must
 * not affect items of other sites.
 */
function keysBegin({ url }: Pick<SourceAddress, "url">): string {
  return `${siteOf(new URL(url))} `;
}

export function siteOf(address: URL): string {
  return address.hostname.replace(/^www\./, "");
}
