/** The platform of posts created on this service. */
export const nativePlatform = "native";

/**
 * Platforms that posts are imported from, and what each calls a community, what counts for a post's score and its
 * comments. The feed takes a parameter with each of the names of a community.
 */
export const origins = {
  reddit: { communityTerm: "subreddit", scoreTerm: "points", commentTerm: "comments" },
  lemmy: { communityTerm: "community", scoreTerm: "points", commentTerm: "comments" },
  piefed: { communityTerm: "community", scoreTerm: "points", commentTerm: "comments" },
  mastodon: { communityTerm: "hashtag", scoreTerm: "favorites", commentTerm: "replies" },
  bluesky: { communityTerm: "feed", scoreTerm: "likes", commentTerm: "replies" },
  hackernews: { communityTerm: "list", scoreTerm: "points", commentTerm: "comments" },
  youtube: { communityTerm: "channel", scoreTerm: "likes", commentTerm: "comments" },
  peertube: { communityTerm: "channel", scoreTerm: "likes", commentTerm: "comments" },
  rss: { communityTerm: "site", scoreTerm: "points", commentTerm: "comments" },
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
