import type { FlatClient, Sent } from "@tandem/client";
import type { Operations } from "@tandem/contract/operations";
import type { Post } from "@tandem/contract/post-resources";
import { routes } from "@tandem/contract/routes";
import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
} from "@tanstack/react-query";
import { impliedBasis } from "../shared/implied-basis.ts";
import { hide } from "./hidden-posts.ts";

/**
 * Filters of a feed. `cursor` is where the first page starts, if not at the top. `quoted` and `reposter` stand alone: the feed is
 * then the posts that quote that post, or that this creator reposted.
 */
export type FeedFilters = Omit<Sent<Operations["listPosts"]>, "fields" | "limit"> & {
  quoted?: number;
  reposter?: Pick<Post, "platform" | "author">;
};

interface Page {
  posts: Post[];
  nextCursor: number | null;
}
export type PostPages = InfiniteData<Page, number | null>;

/** Query parameters of the API that aren't filters. */
const notFilters = ["fields", "limit"];

/**
 * The feed filters in a URL's query. The names are those of the API; unknown parameters are ignored, as is the default order:
 * it is the same list.
 */
export function filtersFrom(search: Readonly<Record<string, string | undefined>>): FeedFilters {
  const names = routes.listPosts.query.filter(
    (name) => !notFilters.includes(name) && search[name] && !(name === "sort" && search[name] === "new"),
  );
  const filters = Object.fromEntries(names.map((name) => [name, search[name]])) as FeedFilters;
  const basis = impliedBasis(filters.provenance, filters.basis);
  return basis === undefined ? filters : { ...filters, basis };
}

/** A feed, page by page. Its filters are those of `GET /api/posts`. */
export const feedQuery = (api: FlatClient, filters: FeedFilters) =>
  infiniteQueryOptions({
    queryKey: ["posts", "list", filters],
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const { quoted, reposter, ...rest } = { ...filters, ...(pageParam !== null && { cursor: pageParam }) };
      const from = rest.cursor !== undefined && { cursor: rest.cursor };
      if (quoted !== undefined) return api.listQuotes({ id: quoted, ...from }, { signal });
      if (reposter) return api.listCreatorReposts({ ...reposter, ...from }, { signal });
      return api.listPosts(rest, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Never refetched automatically, because the list would move under the reader. New posts are announced at
    // the top.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    // Fails immediately without a network, so that the page can say so.
    networkMode: "always",
    retry: false,
  });

/** The posts of each page without duplicates: pages of the hot order may shift between two requests. */
export function pagesOf({ pages }: Pick<PostPages, "pages">): Post[][] {
  const seen = new Set<number>();
  return pages.map(({ posts }) => posts.filter(({ id }) => !seen.has(id) && seen.add(id)));
}

export const postsOf = (list: Pick<PostPages, "pages">): Post[] => pagesOf(list).flat();

export const postQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["posts", "one", id],
    queryFn: async ({ signal }) => (await api.readPost({ id }, { signal })).post,
  });

/** One page of posts like those shown, for an aside. */
export const relatedPostsQuery = (
  api: FlatClient,
  filters: Pick<FeedFilters, "community" | "platform" | "author">,
) =>
  queryOptions({
    queryKey: ["posts", "related", filters],
    queryFn: async ({ signal }) => (await api.listPosts(filters, { signal })).posts,
  });

/**
 * Changes a post in all cached lists; returns a function that restores that post and keeps all other changes.
 */
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

/** Whether a feed isn't a list that the reader chose: of an author, or of saved or liked posts. */
const isGeneral = ({ author, saved, liked, collectionId }: FeedFilters): boolean =>
  [author, saved, liked, collectionId].every((filter) => filter === undefined);

/** Takes posts out of feeds: by default, out of all but those that the reader chose. */
export function dropPosts(
  queryClient: QueryClient,
  isDropped: (post: Post) => boolean,
  isMeant: (filters: FeedFilters) => boolean = isGeneral,
): void {
  const predicate = ({ queryKey }: { queryKey: readonly unknown[] }) => isMeant(queryKey[2] as FeedFilters);
  queryClient.setQueriesData<PostPages>({ queryKey: ["posts", "list"], predicate }, (list) =>
    list
      ? {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            posts: page.posts.filter((post) => !isDropped(post)),
          })),
        }
      : list,
  );
}

/** Hides a post in every list; returns a function that shows it again. */
export const removePost = (queryClient: QueryClient, id: number): (() => void) => hide(queryClient, id);
