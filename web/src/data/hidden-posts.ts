import type { Post } from "@tandem/contract/resources";
import { type QueryClient, queryOptions, useQuery } from "@tanstack/react-query";

type Author = Pick<Post, "platform" | "author">;

/** What the reader sent away, by its id or its author's name, as long as the page stands. */
type Hidden = readonly (number | string)[];

const hiddenQuery = queryOptions<Hidden>({
  queryKey: ["hidden"],
  queryFn: () => [],
  initialData: [],
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Names are the same in any case. */
export const authorKey = ({ platform, author }: Author): string => `${platform}/${author}`.toLowerCase();

/** Takes a post, or all of an author's, out of every list at once; gives back what puts them in again, where they were. */
export function hide(queryClient: QueryClient, target: number | string): () => void {
  queryClient.setQueryData<Hidden>(hiddenQuery.queryKey, (hidden = []) => [...hidden, target]);
  return () => unhide(queryClient, target);
}

/** Shows again what was sent away. */
export function unhide(queryClient: QueryClient, target: number | string): void {
  queryClient.setQueryData<Hidden>(hiddenQuery.queryKey, (hidden = []) =>
    hidden.filter((other) => other !== target),
  );
}

/** Pages of posts without what was sent away. */
export function useVisiblePosts(pages: readonly Post[][]): readonly Post[][] {
  const { data: hidden } = useQuery(hiddenQuery);
  if (hidden.length === 0) return pages;
  const isVisible = (post: Post) => !hidden.includes(post.id) && !hidden.includes(authorKey(post));
  return pages.map((posts) => posts.filter(isVisible));
}
