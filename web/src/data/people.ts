import type { FlatClient } from "@tandem/client";
import type { Block, Friend } from "@tandem/contract/people";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { authorKey, hide, unhide } from "./hidden-posts.ts";
import { pageCursor, paging } from "./pagination.ts";

export const friendsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["people", "friends"],
    queryFn: ({ pageParam, signal }): Promise<{ friends: Friend[]; nextCursor: number | null }> =>
      api.listFriends(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const friendRequestsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["people", "requests"],
    queryFn: ({ signal }) => api.listFriendRequests({}, { signal }),
  });

export const blocksQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: ["people", "blocks"],
    queryFn: ({ pageParam, signal }): Promise<{ blocks: Block[]; nextCursor: number | null }> =>
      api.listBlocks(pageCursor(pageParam), { signal }),
    ...paging,
  });

/** Refetches friends, requests, blocks and creators: a change to one relationship affects them all. */
export const invalidateRelationships = (queryClient: QueryClient) =>
  Promise.all(["people", "creators"].map((key) => queryClient.invalidateQueries({ queryKey: [key] })));

/** Updates the cache after a block or unblock. */
export function applyBlock(queryClient: QueryClient, username: string, blocked: boolean) {
  const author = authorKey({ platform: "native", author: username });
  if (blocked) hide(queryClient, author);
  else {
    unhide(queryClient, author);
    void queryClient.resetQueries({ queryKey: ["posts", "list"] });
  }
  return invalidateRelationships(queryClient);
}
