import type { FlatClient } from "@tandem/client";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type FeedFilters, type PostPages, postsOf } from "./posts.ts";

export const collectionsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["collections", "all"],
    queryFn: async ({ signal }) => (await api.listCollections({}, { signal })).collections,
  });

/** All collections, and whether each includes a post. */
export const collectionsWithQuery = (api: FlatClient, postId: number) =>
  queryOptions({
    queryKey: ["collections", "with", postId],
    queryFn: async ({ signal }) => (await api.listCollections({ postId }, { signal })).collections,
  });

/** Reads lists of saved posts again that are shown without a post which was just saved, because they were read meanwhile. */
export function rereadSavedWithout(queryClient: QueryClient, id: number): Promise<void> {
  return queryClient.invalidateQueries({
    queryKey: ["posts", "list"],
    predicate: ({ queryKey, state }) => {
      const { saved, collectionId } = queryKey[2] as FeedFilters;
      const list = state.data as PostPages | undefined;
      const hasIt = list !== undefined && postsOf(list).some((post) => post.id === id);
      return saved !== undefined && collectionId === undefined && !hasIt;
    },
  });
}

/** Reads collections again after a change of them or of what is saved. Lists of saved posts are outdated, too. */
export function invalidateCollections(queryClient: QueryClient): Promise<void> {
  queryClient.removeQueries({
    queryKey: ["posts", "list"],
    type: "inactive",
    predicate: ({ queryKey }) => (queryKey[2] as FeedFilters).saved !== undefined,
  });
  return queryClient.invalidateQueries({ queryKey: ["collections"] });
}
