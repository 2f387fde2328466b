import { OutgoingError } from "../outgoing/outgoing-error.ts";
import { webAddress } from "./clean/address.ts";
import { at, jsonOf, listAt, stringAt } from "./clean/json.ts";
import { nameOf } from "./clean/text.ts";
import {
  type Ask,
  type Connector,
  OriginError,
  type OriginResponse,
  type SourceAddress,
} from "./connector.ts";
import { connectors } from "./connectors.ts";
import { readFeed } from "./feeds/parse-in-thread.ts";
import { readPage } from "./page.ts";
import { feedTypes, siteOf } from "./rss.ts";

export interface Discovered {
  connector: Connector;
  place: SourceAddress;
}

const all = Object.values(connectors);
const byAddress = all.filter(({ software, platform }) => !software && platform !== "rss");
const bySoftware = all.filter(({ software }) => software);

/** The most feeds of a page that are tried. */
const MAX_TRIED = 3;

/**
 * Finds the source at a URL and its connector: by the URL alone, by the server's software, or as a feed, either at the
 * URL itself or linked from its page. Throws {@link OriginError} if there is no source, and whatever `ask` throws.
 * @param given as typed by an admin, with or without `https://`
 */
export async function discover(given: string, ask: Ask): Promise<Discovered> {
  const text = given.trim();
  const url = webAddress(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  if (!url) throw new OriginError("This isn't an http or https URL.");
  const address = new URL(url);
  const found =
    recognizedBy(byAddress, address) ??
    (await discoverServer(address, ask)) ??
    (await discoverFeed(url, ask));
  return { ...found, place: await named(found, ask) };
}

/** Adds the display name. If the origin doesn't respond at the moment, the name from the URL stays. */
async function named({ connector, place }: Discovered, ask: Ask): Promise<SourceAddress> {
  try {
    return (await connector.name?.(place, ask)) ?? place;
  } catch (error) {
    return nullIfRefused(error) ?? place;
  }
}

function recognizedBy(candidates: Connector[], address: URL): Discovered | null {
  for (const connector of candidates) {
    const place = connector.recognize(address);
    if (place) return { connector, place };
  }
  return null;
}

/** What an address means without a request: a feed, unless it is that of a platform. */
export function recognizeByAddress(address: URL): Discovered {
  const { rss } = connectors;
  const place = { url: address.href, name: siteOf(address), community: siteOf(address) };
  return recognizedBy(byAddress, address) ?? { connector: rss, place };
}

/** Detects the server's software by NodeInfo, unless the URL can't belong to any supported software. */
async function discoverServer(address: URL, ask: Ask): Promise<Discovered | null> {
  if (!recognizedBy(bySoftware, address)) return null;
  const software = await softwareOf(address, ask);
  if (!software) return null;
  return recognizedBy(
    bySoftware.filter((connector) => connector.software?.includes(software)),
    address,
  );
}

/** The software's name in lower case; null if the server doesn't publish it, as most don't. */
async function softwareOf({ origin }: URL, ask: Ask): Promise<string | null> {
  const json = { accept: "application/json", unconditional: true };
  try {
    const links = listAt(jsonOf(await ask(`${origin}/.well-known/nodeinfo`, json)), "links");
    const versions = links
      .map((link) => webAddress(at(link, "href"), origin))
      .filter((href) => href !== null);
    const here = versions.filter((href) => new URL(href).origin === origin).at(-1);
    return here ? (stringAt(jsonOf(await ask(here, json)), "software", "name")?.toLowerCase() ?? null) : null;
  } catch (error) {
    return nullIfRefused(error);
  }
}

async function discoverFeed(url: string, ask: Ask): Promise<Discovered> {
  const response = await ask(url, {
    accept: `text/html, ${feedTypes}`,
    unconditional: true,
    uninvited: true,
  });
  const own = await asFeed(response);
  if (own) return own;
  const named = feedsOf(response).slice(0, MAX_TRIED);
  for (const one of named) {
    const found = recognizedBy(byAddress, new URL(one)) ?? (await tryFeed(one, ask));
    if (found) return found;
  }
  throw new OriginError(whyNone(response, named.length > 0));
}

function whyNone({ headers }: OriginResponse, names: boolean): string {
  if (names) return "The page links to feeds, but none of them can be read.";
  return feedType.test(headers.get("content-type")?.toLowerCase() ?? "")
    ? "The response claims to be a feed but can't be parsed."
    : "This is neither a feed nor a page that links to one.";
}

/** Null if it isn't readable: pages often link to dead feeds. */
async function tryFeed(url: string, ask: Ask): Promise<Discovered | null> {
  try {
    return await asFeed(await ask(url, { accept: feedTypes, unconditional: true, uninvited: true }));
  } catch (error) {
    return nullIfRefused(error);
  }
}

async function asFeed(response: OriginResponse): Promise<Discovered | null> {
  const { rss } = connectors;
  try {
    const feed = await readFeed(response);
    const community = siteOf(new URL(feed.link ?? response.url));
    return { connector: rss, place: { url: response.url, name: nameOf(feed.title) ?? community, community } };
  } catch (error) {
    return nullIfRefused(error);
  }
}

function nullIfRefused(error: unknown): null {
  if (error instanceof OriginError || error instanceof OutgoingError) return null;
  throw error;
}

const feedType = /^(application\/(rss|atom|rdf)\+xml|application\/feed\+json|text\/xml|application\/xml)\b/;

/** The feeds that a page links to, in order: sites list the feed of articles before that of comments. */
function feedsOf(response: OriginResponse): string[] {
  const { links, base } = readPage(response);
  const named = links.filter(
    ({ rel, type }) => rel.includes("alternate") && (feedType.test(type) || type === "application/json"),
  );
  return named.map(({ href }) => webAddress(href, base)).filter((href) => href !== null);
}
