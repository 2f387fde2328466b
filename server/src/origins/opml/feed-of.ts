import type { OriginPlatform } from "@tandem/contract/origins";

/** The addresses of a source for other feed readers. */
export interface FeedAddresses {
  /** A feed; the source's own address where the platform has none. */
  xmlUrl: string;
  /** Its page; null if only the feed is known. */
  htmlUrl: string | null;
}

/** The feed that a platform offers for a source, from the source's canonical address (see each connector's `recognize`). */
export function feedOf(platform: OriginPlatform, url: string): FeedAddresses {
  return { xmlUrl: feeds[platform](new URL(url)) ?? url, htmlUrl: pageOf(platform, new URL(url)) };
}

const feeds: Record<OriginPlatform, (address: URL) => string | null> = {
  reddit: ({ href }) => `${href}.rss`,
  // Mastodon has feeds of accounts and hashtags, but not of servers.
  mastodon: ({ href, pathname }) => (pathname.startsWith("/public") ? null : `${href}.rss`),
  bluesky: ({ href, pathname }) => (pathname.includes("/feed/") ? null : `${href}/rss`),
  lemmy: ({ origin, pathname }) =>
    pathname === "/"
      ? `${origin}/feeds/local.xml?sort=New`
      : `${origin}/feeds${pathname.replace(/^\/c\/(.+)$/, "/c/$1.xml")}?sort=New`,
  piefed: ({ origin, pathname }) =>
    pathname === "/" ? null : `${origin}/community/${pathname.slice(3)}/feed`,
  peertube: ({ origin, pathname }) => {
    const [, kind, name = ""] = pathname.split("/");
    const feed = `${origin}/feeds/videos.xml`;
    if (kind === "c") return `${feed}?videoChannelName=${encodeURIComponent(name)}`;
    return kind === "a" ? `${feed}?accountName=${encodeURIComponent(name)}` : `${feed}?isLocal=true`;
  },
  // The site itself has a feed of its front page only.
  hackernews: ({ pathname, origin }) =>
    pathname === "/news" ? `${origin}/rss` : `https://hnrss.org/${hnrss[pathname.slice(1)] ?? "frontpage"}`,
  youtube: ({ href }) => href,
  rss: ({ href }) => href,
};

/** Lists of Hacker News at hnrss.org. */
const hnrss: Record<string, string> = {
  newest: "newest",
  best: "best",
  ask: "ask",
  show: "show",
  jobs: "jobs",
};

function pageOf(platform: OriginPlatform, { href, origin, searchParams }: URL): string | null {
  switch (platform) {
    case "rss":
      return `${origin}/`;
    case "youtube": {
      const [channel, list] = [searchParams.get("channel_id"), searchParams.get("playlist_id")];
      if (channel) return `${origin}/channel/${channel}`;
      return list ? `${origin}/playlist?list=${list}` : null;
    }
    default:
      return href;
  }
}
