/** The platform of posts created on this service. */
export const nativePlatform = "native";

/**
 * Platforms that posts are imported from. Each has a name for people, and its own words for a community, what counts for a post's
 * score, and comments. The feed takes a parameter with each of the names of a community.
 */
export const origins = {
  reddit: { name: "Reddit", communityTerm: "subreddit", scoreTerm: "points", commentTerm: "comments" },
  lemmy: { name: "Lemmy", communityTerm: "community", scoreTerm: "points", commentTerm: "comments" },
  piefed: { name: "PieFed", communityTerm: "community", scoreTerm: "points", commentTerm: "comments" },
  mastodon: { name: "Mastodon", communityTerm: "hashtag", scoreTerm: "favorites", commentTerm: "replies" },
  bluesky: { name: "Bluesky", communityTerm: "feed", scoreTerm: "likes", commentTerm: "replies" },
  hackernews: { name: "Hacker News", communityTerm: "list", scoreTerm: "points", commentTerm: "comments" },
  youtube: { name: "YouTube", communityTerm: "channel", scoreTerm: "likes", commentTerm: "comments" },
  peertube: { name: "PeerTube", communityTerm: "channel", scoreTerm: "likes", commentTerm: "comments" },
  rss: { name: "RSS", communityTerm: "site", scoreTerm: "points", commentTerm: "comments" },
} as const;

/** Platforms whose comments on a post can be read from there. */
export const threadPlatforms = [
  "reddit",
  "hackernews",
  "lemmy",
  "piefed",
  "mastodon",
  "bluesky",
  "peertube",
] as const satisfies (keyof typeof origins)[];
export type ThreadPlatform = (typeof threadPlatforms)[number];

export function hasThreads(platform: string): platform is ThreadPlatform {
  return (threadPlatforms as readonly string[]).includes(platform);
}

export type OriginPlatform = keyof typeof origins;
export type Platform = OriginPlatform | typeof nativePlatform;

export const originNames = Object.keys(origins) as OriginPlatform[];
export const platformNames: Platform[] = [nativePlatform, ...originNames];

export function isPlatform(name: string): name is Platform {
  return platformNames.includes(name as Platform);
}

/** The term that works for every platform. */
export const anyCommunityTerm = "community";

export type CommunityTerm = typeof anyCommunityTerm | (typeof origins)[OriginPlatform]["communityTerm"];

/** All parameters that filter the feed by community. */
export const communityTerms: CommunityTerm[] = [
  ...new Set([anyCommunityTerm, ...originNames.map((name) => origins[name].communityTerm)] as const),
];
