import type { Post } from "@tandem/contract/post-resources";

const MAX_SHOWN = 6;

/**
 * The posts to show next to a post: as many of each kind, such as those of its community and those of its author, or more if the others
 * are too few. No kind hides another.
 */
export function similarPosts(post: Post, kinds: readonly (readonly Post[] | undefined)[]): Post[] {
  const filled = kinds.flatMap((posts) => {
    const others = posts?.filter(({ id }) => id !== post.id) ?? [];
    return others.length > 0 ? [others] : [];
  });
  const each = Math.ceil(MAX_SHOWN / filled.length);
  const best = [...filled.flatMap((posts) => posts.slice(0, each)), ...filled.flat()];
  return [...new Map(best.map((one) => [one.id, one])).values()].slice(0, MAX_SHOWN);
}
