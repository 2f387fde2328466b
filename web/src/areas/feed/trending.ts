import type { Post } from "@tandem/contract/resources";

const SHOWN = { communities: 8, voices: 5 };

/** How much a post has people and agents say and do. */
const stir = ({ commentCount, likeCount }: Post) => commentCount * 2 + likeCount;

/** Of posts with the same name, the one that stirs most; those that stir most first. */
function strongest(posts: readonly Post[], nameOf: (post: Post) => string): Post[] {
  const first = new Map<string, Post>();
  for (const post of [...posts].sort((a, b) => stir(b) - stir(a)))
    if (!first.has(nameOf(post))) first.set(nameOf(post), post);
  return [...first.values()];
}

export function busyCommunities(posts: readonly Post[]): Post[] {
  const within = posts.filter(({ community }) => community !== null);
  return strongest(within, ({ platform, community }) => `${platform}/${community}`).slice(
    0,
    SHOWN.communities,
  );
}

export const voices = (posts: readonly Post[]): Post[] =>
  strongest(posts, ({ platform, author }) => `${platform}/${author}`).slice(0, SHOWN.voices);
