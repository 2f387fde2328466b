import { firstAddress, webAddress } from "../clean/address.ts";
import type { NamedHub, OriginResponse } from "../connector.ts";
import type { AtomFeed, JsonFeed, RdfFeed, RssFeed } from "./formats.ts";

/** Links by which a feed can name its hubs and itself; unchecked. */
export interface HubLinks {
  hubs: (string | undefined)[];
  self: string | undefined;
}

interface Link {
  href?: string | undefined;
  rel?: string | undefined;
}

/** The links in an RSS, RDF or Atom feed. */
export function linksOfXml(feed: RssFeed | RdfFeed | AtomFeed): HubLinks {
  return among(("atom" in feed ? feed.atom?.links : "links" in feed ? feed.links : undefined) ?? []);
}

export function linksOfJson({ hubs = [], feed_url }: JsonFeed): HubLinks {
  const webSub = hubs.filter(({ type }) => /^websub$/i.test(type ?? ""));
  return { hubs: webSub.map(({ url }) => url), self: feed_url };
}

/**
 * The hub that a feed names, by WebSub's rules: in HTTP headers, or else in the feed. Null without one, and for a feed that passes itself
 * off as one of another site: else a site could have us told about changes of another.
 */
export function namedHub({ headers, url }: OriginResponse, inFeed: HubLinks | undefined): NamedHub | null {
  const inHeaders = among(linksOfHeader(headers.get("link") ?? ""));
  const { hubs, self = inFeed?.self } = inHeaders.hubs.length > 0 ? inHeaders : (inFeed ?? inHeaders);
  const all = hubs.flatMap((hub) => webAddress(hub, url) ?? []);
  const hub = all.find((one) => one.startsWith("https:")) ?? all[0];
  // Without a name of its own, it is what was fetched.
  const topic = firstAddress([self, url], url);
  if (hub === undefined || topic === null || siteOf(topic) !== siteOf(url)) return null;
  return { hub, topic };
}

function siteOf(address: string): string {
  return new URL(address).hostname.replace(/^www\./, "");
}

function among(links: readonly Link[]): HubLinks {
  const named = (name: string) => links.filter(({ rel }) => rel?.toLowerCase().split(/\s+/).includes(name));
  return { hubs: named("hub").map(({ href }) => href), self: named("self")[0]?.href };
}

/** The links of a `Link` header (RFC 8288), with their relations. */
function linksOfHeader(header: string): Link[] {
  const links = header
    .slice(0, 10_000)
    .matchAll(/<([^>]*)>((?:\s*;\s*[\w*-]+\s*=\s*(?:"[^"]*"|[^\s";,]+))*)/g);
  return [...links].map(([, href = "", parameters = ""]) => {
    const named = parameters.matchAll(/;\s*([\w*-]+)\s*=\s*(?:"([^"]*)"|([^\s";,]+))/g);
    const rel = [...named].find(([, name]) => name?.toLowerCase() === "rel");
    return { href, rel: rel?.[2] ?? rel?.[3] };
  });
}
