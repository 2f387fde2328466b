/** The platform of posts made here. */
export const nativePlatform = "native";

/**
 * Platforms whose posts are shown beside the native ones, and what each calls a community.
 * The feed takes a parameter of each of these names.
 */
export const origins = {
  reddit: { communityTerm: "subreddit" },
  lemmy: { communityTerm: "community" },
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

/** The term that works for every origin. */
export const anyCommunityTerm = "community";

export type CommunityTerm = typeof anyCommunityTerm | (typeof origins)[OriginPlatform]["communityTerm"];

/** All names by which the feed can be narrowed to one community. */
export const communityTerms: CommunityTerm[] = [
  ...new Set([anyCommunityTerm, ...originNames.map((name) => origins[name].communityTerm)] as const),
];
