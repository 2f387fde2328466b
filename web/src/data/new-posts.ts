import type { FlatClient } from "@tandem/client";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type FeedFilters, feedQuery, type PostPages, postsOf } from "./posts.ts";

/** The highest number of new posts that is counted. */
export const MAX_NEW_POSTS = 50;
/** Milliseconds between two polls. */
const POLL_INTERVAL = 45_000;

/** The ids of the newest posts: a response of a few hundred bytes, and a 304 if nothing has changed. */
export const newestIdsQuery = (api: FlatClient, filters: FeedFilters) =>
  queryOptions({
    queryKey: ["posts", "newest", filters],
    queryFn: async ({ signal }) => {
      const ids: number[] = [];
      const walk = api.pages.listPosts(
        { ...filters, fields: "id", limit: MAX_NEW_POSTS },
        { max: MAX_NEW_POSTS, signal },
      );
      for await (const { id } of walk) ids.push(id);
      return ids;
    },
    refetchInterval: POLL_INTERVAL,
    staleTime: 0,
    retry: false,
  });

/** Adds new posts to the top of the feed. Replaces the feed if that would leave a gap. */
export async function fetchNewPosts(
  queryClient: QueryClient,
  api: FlatClient,
  filters: FeedFilters,
): Promise<void> {
  const page = await api.listPosts({ ...filters, limit: MAX_NEW_POSTS });
  queryClient.setQueryData<PostPages>(feedQuery(api, filters).queryKey, (list) => {
    const known = new Set(list ? postsOf(list).map(({ id }) => id) : []);
    const overlaps = page.posts.some(({ id }) => known.has(id));
    if (!list || !overlaps) return { pages: [page], pageParams: [null] };
    const added = page.posts.filter(({ id }) => !known.has(id));
    const [first, ...rest] = list.pages;
    return first ? { ...list, pages: [{ ...first, posts: [...added, ...first.posts] }, ...rest] } : list;
  });
}
