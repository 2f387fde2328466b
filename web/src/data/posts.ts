import type { Client, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Post } from "@tandem/contract/resources";
import { routes } from "@tandem/contract/routes";
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { hide } from "./hidden-posts.ts";

/** What of the posts is wanted. A `cursor` is where the first page begins, if that isn't the top. */
export type FeedFilters = Omit<Sent<Operations["listPosts"]>, "fields" | "limit">;

interface Page {
  posts: Post[];
  nextCursor: number | null;
}
export type PostPages = InfiniteData<Page, number | null>;

/** Parameters that aren't filters, but say which part of the answer is wanted. */
const notFilters = ["fields", "limit"];

/** What an address says is what the API is asked: one set of names for both. Others' additions are left out. */
export function filtersFrom(search: Readonly<Record<string, string | undefined>>): FeedFilters {
  const names = routes.listPosts.query.filter((name) => !notFilters.includes(name) && search[name]);
  return Object.fromEntries(names.map((name) => [name, search[name]])) as FeedFilters;
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
    refetchOnWindowFocus: false,
    // Without a network it fails, and says so, instead of waiting for one.
    networkMode: "always",
    retry: false,
  });

/** The posts page by page, each once: hot pages may shift between two calls. */
export function pagesOf({ pages }: Pick<PostPages, "pages">): Post[][] {
  const seen = new Set<number>();
  return pages.map(({ posts }) => posts.filter(({ id }) => !seen.has(id) && seen.add(id)));
}

export const postsOf = (list: Pick<PostPages, "pages">): Post[] => pagesOf(list).flat();

export const postQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["posts", "one", id],
    queryFn: async ({ signal }) => (await api.readPost({ id }, { signal })).post,
  });

/** Changes a post wherever it is shown; gives back what makes of that one post what it was, and leaves what came since. */
export function changePost(queryClient: QueryClient, id: number, change: (post: Post) => Post): () => void {
  const before: Post[] = [];
  updateEverywhere(queryClient, id, (post) => {
    before.push(post);
    return change(post);
  });
  return () => {
    const [original] = before;
    if (original) updateEverywhere(queryClient, id, () => original);
  };
}

function updateEverywhere(queryClient: QueryClient, id: number, change: (post: Post) => Post): void {
  const inList = (posts: Post[]) =>
    posts.some((post) => post.id === id)
      ? posts.map((post) => (post.id === id ? change(post) : post))
      : posts;
  queryClient.setQueriesData<PostPages>({ queryKey: ["posts", "list"] }, (list) =>
    list ? { ...list, pages: list.pages.map((page) => ({ ...page, posts: inList(page.posts) })) } : list,
  );
  queryClient.setQueryData<Post>(["posts", "one", id], (post) => post && change(post));
}

/** Takes a post out of every list; gives back what puts it in again. */
export const removePost = (queryClient: QueryClient, id: number): (() => void) => hide(queryClient, id);
