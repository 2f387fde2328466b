import { createHash } from "node:crypto";
import type { RawItem } from "./clean/item.ts";
import { nameOf } from "./clean/text.ts";
import { firstTold, timeOf } from "./clean/time.ts";
import { type Ask, type Connector, type Gathered, OriginError, type Place } from "./connector.ts";
import type { Entry, Feed } from "./feeds/entry.ts";
import { readFeed } from "./feeds/parse-in-thread.ts";
import { freshFor, isByTime, itemsOf, MOST_ITEMS, unchangedAs } from "./visit.ts";

export const feedTypes =
  "application/atom+xml, application/rss+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/**
 * Feeds of any web site: RSS, Atom, RDF and JSON Feed. An article is a link to its page; its `site` is the host. Scores aren't
 * told; a picture or video is shown as such where it is all that the entry is about.
 */
export const rss: Connector = {
  platform: "rss",

  /** Any address may be a feed's; which it is, only its content says. */
  recognise(address) {
    const community = siteOf(address);
    return { url: address.href, name: community, community };
  },

  keysBegin,

  gather: (place, ask) => gatherFeed(place, ask, draftOf, { uninvited: true }),
};

interface FeedOptions {
  /** Where the feed is, if not at the place's own address. */
  url?: string;
  uninvited?: boolean;
}

/** What a feed brings, each entry read as its platform has it. */
export async function gatherFeed(
  place: Place,
  ask: Ask,
  draft: (entry: Entry, place: Place, feed: Feed) => RawItem,
  { url = place.url, uninvited = false }: FeedOptions = {},
): Promise<Gathered> {
  const answer = await ask(url, { accept: feedTypes, uninvited });
  if (answer.status === 304) return unchangedAs(answer);
  const feed = await readFeed(answer);
  const { entries } = feed;
  const items = await itemsOf(entries, (entry) => draft(entry, place, feed));
  if (items.length === 0 && entries.length > 0) throw new OriginError("None of its entries could be read.");
  const hints = [feed.fresh, freshFor(answer.headers)].filter((hint) => hint !== null);
  return {
    items,
    unchanged: false,
    gone: [],
    complete: entries.length <= MOST_ITEMS && items.length === entries.length && isByTime(timesOf(entries)),
    askAgainAfter: hints.length > 0 ? Math.max(...hints) : null,
  };
}

/** Without end where an entry tells none: then nobody knows how the feed goes. */
function timesOf(entries: Entry[]): number[] {
  return entries.map(({ times: [first] }) => timeOf(first, Number.POSITIVE_INFINITY));
}

function draftOf(entry: Entry, place: Place, feed: Feed): RawItem {
  const { link, media, base } = entry;
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
    thumbnailUrl: entry.thumbnail ?? (first?.type === "video" ? null : first?.url),
    community: place.community,
    postedAt: firstTold(entry.times),
    base,
  };
}

/** A name with its site: half of all sites are written by an "admin", and each is somebody else. A site's own name is the site. */
function authorOf({ author }: Entry, { url, name }: Place, feed: Feed): string {
  const site = siteOf(new URL(url));
  const called = author ?? nameOf(feed.title) ?? name;
  return called === site ? site : `${called}@${site}`;
}

function keyOf({ id, link, title, body, times }: Entry, place: Place): string {
  const own =
    whole(id, link) ??
    link ??
    createHash("sha256")
      .update(JSON.stringify([title, body, times]))
      .digest("hex");
  return keysBegin(place) + own;
}

/** Two feeds of one site may both number what they have: a bare number is an id only together with the link. */
function whole(id: string | null, link: string | null): string | null {
  return id !== null && link !== null && /^\d+$/.test(id) ? `${id} ${link}` : id;
}

/**
 * An entry's own id may be no more than a number, or what another site calls something of its own: no feed speaks for any site
 * but that which it comes from.
 */
function keysBegin({ url }: Pick<Place, "url">): string {
  return `${siteOf(new URL(url))} `;
}

export function siteOf(address: URL): string {
  return address.hostname.replace(/^www\./, "");
}
