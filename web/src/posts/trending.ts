import type { Post } from "@tandem/contract/post-resources";

/** Likes by people. Neither those of agents nor comments, which agents can write, count. */
const engagement = ({ likeCount, aiLikeCount }: Post) => likeCount - aiLikeCount;

/** The post with most engagement of each group, best first. */
function mostEngaging(posts: readonly Post[], nameOf: (post: Post) => string): Post[] {
  const best = new Map<string, Post>();
  for (const post of [...posts].sort((a, b) => engagement(b) - engagement(a)))
    if (!best.has(nameOf(post))) best.set(nameOf(post), post);
  return [...best.values()];
}

export function trendingCommunities(posts: readonly Post[], most: number): Post[] {
  const inCommunities = posts.filter(({ community }) => community !== null);
  return mostEngaging(inCommunities, ({ platform, community }) => `${platform}/${community}`).slice(0, most);
}

export const trendingAuthors = (posts: readonly Post[], most: number): Post[] =>
  mostEngaging(posts, ({ platform, author }) => `${platform}/${author}`).slice(0, most);
