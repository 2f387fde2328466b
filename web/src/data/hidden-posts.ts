import type { Post } from "@tandem/contract/post-resources";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";

type Author = Pick<Post, "platform" | "author">;

/** Posts (by id) and authors (by key) that the reader has hidden. Kept until the page is reloaded. */
type Hidden = readonly (number | string)[];

const hiddenQuery = queryOptions<Hidden>({
  queryKey: ["hidden"],
  queryFn: () => [],
  initialData: [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Usernames are case-insensitive. */
export const authorKey = ({ platform, author }: Author): string => `${platform}/${author}`.toLowerCase();

/** Hides a post, or all posts of an author, in every list; returns a function that shows them again. */
export function hide(queryClient: QueryClient, target: number | string): () => void {
  queryClient.setQueryData<Hidden>(hiddenQuery.queryKey, (hidden = []) => [...hidden, target]);
  return () => unhide(queryClient, target);
}

/** Shows hidden posts again. */
export function unhide(queryClient: QueryClient, target: number | string): void {
  queryClient.setQueryData<Hidden>(hiddenQuery.queryKey, (hidden = []) =>
    hidden.filter((other) => other !== target),
  );
}

/** Pages of posts without the hidden ones. */
export function useVisiblePosts(pages: readonly Post[][]): readonly Post[][] {
  const { data: hidden } = useQuery(hiddenQuery);
  if (hidden.length === 0) return pages;
  const isVisible = (post: Post) => !hidden.includes(post.id) && !hidden.includes(authorKey(post));
  return pages.map((posts) => posts.filter(isVisible));
}
