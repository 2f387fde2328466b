/** The platform of posts created on this service. */
export const nativePlatform = "native";

/**
 * Platforms that posts are imported from, and what each calls a community. The feed takes a parameter with each of
 * these names.
 */
export const origins = {
  reddit: { communityTerm: "subreddit" },
  lemmy: { communityTerm: "community" },
  piefed: { communityTerm: "community" },
  mastodon: { communityTerm: "hashtag" },
  bluesky: { communityTerm: "feed" },
  hackernews: { communityTerm: "list" },
  youtube: { communityTerm: "channel" },
  peertube: { communityTerm: "channel" },
  rss: { communityTerm: "site" },
} as const;

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
