import type { Client, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Post } from "@tandem/contract/resources";
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";

export type FeedFilters = Omit<Sent<Operations["listPosts"]>, "cursor" | "fields" | "limit">;

interface Page {
  posts: Post[];
  nextCursor: number | null;
}

/** The feed, page by page. Its filters are those of `GET /api/posts`. */
export const feedQuery = (api: Client, filters: FeedFilters) =>
  infiniteQueryOptions({
    queryKey: ["posts", "list", filters],
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listPosts({ ...filters, ...(pageParam !== null && { cursor: pageParam }) }, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // What came in meanwhile is told at the top: a list that changes by itself would move under the reader.
    staleTime: Number.POSITIVE_INFINITY,
  });

/** The posts of all pages, each once: hot pages may shift between two calls. */
export function postsOf({ pages }: Pick<InfiniteData<Page>, "pages">): Post[] {
  const seen = new Set<number>();
  return pages.flatMap(({ posts }) => posts).filter(({ id }) => !seen.has(id) && seen.add(id));
}

export const postQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["posts", "one", id],
    queryFn: async ({ signal }) => (await api.readPost({ id }, { signal })).post,
  });

/** Changes a post wherever it is shown; gives back what takes that back. */
export function changePost(data: QueryClient, id: number, change: (post: Post) => Post): () => void {
  const before = data.getQueriesData({ queryKey: ["posts"] });
  const inList = (posts: Post[]) => posts.map((post) => (post.id === id ? change(post) : post));
  data.setQueriesData<InfiniteData<Page>>({ queryKey: ["posts", "list"] }, (list) =>
    list ? { ...list, pages: list.pages.map((page) => ({ ...page, posts: inList(page.posts) })) } : list,
  );
  data.setQueryData<Post>(["posts", "one", id], (post) => post && change(post));
  return () => {
    for (const [key, value] of before) data.setQueryData(key, value);
  };
}

/** Takes a post out of every list; gives back what puts it in again. */
export function removePost(data: QueryClient, id: number): () => void {
  const before = data.getQueriesData({ queryKey: ["posts", "list"] });
  data.setQueriesData<InfiniteData<Page>>({ queryKey: ["posts", "list"] }, (list) =>
    list
      ? {
          ...list,
          pages: list.pages.map((page) => ({ ...page, posts: page.posts.filter((post) => post.id !== id) })),
        }
      : list,
  );
  return () => {
    for (const [key, value] of before) data.setQueryData(key, value);
  };
}
