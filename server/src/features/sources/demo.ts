import type { OriginPlatform } from "@tandem/contract/origins";
import { connectors } from "../../origins/connectors.ts";
import type { Found } from "./add.ts";

/** One place of each platform, to try out what gathering is like. */
const places: Record<OriginPlatform, string> = {
  reddit: "https://www.reddit.com/r/programming",
  lemmy: "https://lemmy.world/c/technology",
  mastodon: "https://mastodon.social/tags/opensource",
  bluesky: "https://bsky.app/profile/bsky.app",
  hackernews: "https://news.ycombinator.com/",
  youtube: "https://www.youtube.com/channel/UC9-y-6csu5WGm29I7JiwpnA",
  peertube: "https://framatube.org/",
  rss: "https://lwn.net/headlines/rss",
};

/** What is known of them beyond that: YouTube's addresses tell no channel's name. */
const known: Partial<Record<OriginPlatform, Pick<Found, "name" | "community">>> = {
  youtube: { name: "Computerphile", community: "Computerphile" },
};

/** What they are, told without asking anybody. */
export function demoSources(): Found[] {
  return (Object.keys(places) as OriginPlatform[]).map((platform) => {
    const place = connectors[platform].recognise(new URL(places[platform]));
    if (!place) throw new Error(`${places[platform]} isn't of ${platform}`);
    return { ...place, ...known[platform], platform };
  });
}
