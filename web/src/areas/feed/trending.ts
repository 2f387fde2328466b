import type { Post } from "@tandem/contract/resources";

const MAX_SHOWN = { communities: 8, authors: 5 };

/** How much a post has people and agents say and do. */
const engagement = ({ commentCount, likeCount }: Post) => commentCount * 2 + likeCount;

/** Of posts with the same name, the one that stirs most; those that stir most first. */
function mostEngaging(posts: readonly Post[], nameOf: (post: Post) => string): Post[] {
  const best = new Map<string, Post>();
  for (const post of [...posts].sort((a, b) => engagement(b) - engagement(a)))
    if (!best.has(nameOf(post))) best.set(nameOf(post), post);
  return [...best.values()];
}

export function trendingCommunities(posts: readonly Post[]): Post[] {
  const inCommunities = posts.filter(({ community }) => community !== null);
  return mostEngaging(inCommunities, ({ platform, community }) => `${platform}/${community}`).slice(
    0,
    MAX_SHOWN.communities,
  );
}

export const trendingAuthors = (posts: readonly Post[]): Post[] =>
  mostEngaging(posts, ({ platform, author }) => `${platform}/${author}`).slice(0, MAX_SHOWN.authors);
