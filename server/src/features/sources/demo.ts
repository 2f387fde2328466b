import type { OriginPlatform } from "@tandem/contract/origins";
import { connectors } from "../../origins/connectors.ts";
import type { DiscoveredSource } from "./add.ts";

/** One address per platform, for trying out imports. */
const addresses: Record<OriginPlatform, string> = {
  reddit: "https://www.reddit.com/r/programming",
  lemmy: "https://lemmy.world/c/technology",
  piefed: "https://piefed.social/c/fediverse",
  mastodon: "https://mastodon.social/tags/opensource",
  bluesky: "https://bsky.app/profile/bsky.app",
  hackernews: "https://news.ycombinator.com/",
  youtube: "https://www.youtube.com/channel/UC9-y-6csu5WGm29I7JiwpnA",
  peertube: "https://framatube.org/",
  rss: "https://lwn.net/headlines/rss",
};

/** Facts that can't be read from the address: YouTube's addresses don't contain the channel's name. */
const extraFacts: Partial<Record<OriginPlatform, Pick<DiscoveredSource, "name" | "community">>> = {
  youtube: { name: "Computerphile", community: "Computerphile" },
};

/** The demo sources, without any request. */
export function demoSources(): DiscoveredSource[] {
  return (Object.keys(addresses) as OriginPlatform[]).map((platform) => {
    const place = connectors[platform].recognize(new URL(addresses[platform]));
    if (!place) throw new Error(`${addresses[platform]} isn't an address of ${platform}`);
    return { ...place, ...extraFacts[platform], platform };
  });
}
