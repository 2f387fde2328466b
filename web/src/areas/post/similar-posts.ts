import type { Post } from "@tandem/contract/post-resources";

const MAX_SHOWN = 6;
/** So that a community doesn't hide what else the author posted, nor the other way round. */
const PER_KIND = MAX_SHOWN / 2;

/** The posts to show next to a post: half of them of its community, half of its author, or more if the others are too few. */
export function similarPosts(post: Post, inCommunity: readonly Post[], byAuthor: readonly Post[]): Post[] {
  const best = [
    ...inCommunity.slice(0, PER_KIND + 1),
    ...byAuthor.slice(0, PER_KIND + 1),
    ...inCommunity,
    ...byAuthor,
  ].filter(({ id }) => id !== post.id);
  return [...new Map(best.map((one) => [one.id, one])).values()].slice(0, MAX_SHOWN);
}
