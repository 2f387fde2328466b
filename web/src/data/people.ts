import type { Client } from "@tandem/client";
import type { Block, Friend } from "@tandem/contract/people";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { authorKey, hide, unhide } from "./hidden-posts.ts";
import { pageCursor, paging } from "./pagination.ts";

export const friendsQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["people", "friends"],
    queryFn: ({ pageParam, signal }): Promise<{ friends: Friend[]; nextCursor: number | null }> =>
      api.listFriends(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const friendRequestsQuery = (api: Client) =>
  queryOptions({
    queryKey: ["people", "requests"],
    queryFn: ({ signal }) => api.listFriendRequests({}, { signal }),
  });

export const blocksQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["people", "blocks"],
    queryFn: ({ pageParam, signal }): Promise<{ blocks: Block[]; nextCursor: number | null }> =>
      api.listBlocks(pageCursor(pageParam), { signal }),
    ...paging,
  });

/** The prefix of the query keys for friends, requests and blocks. A change to one affects the others. */
export const peopleKey = ["people"];

/** Updates the cache after a block or unblock. */
export function applyBlock(queryClient: QueryClient, username: string, blocked: boolean): void {
  const author = authorKey({ platform: "native", author: username });
  if (blocked) hide(queryClient, author);
  else {
    unhide(queryClient, author);
    void queryClient.resetQueries({ queryKey: ["posts", "list"] });
  }
  for (const queryKey of [peopleKey, ["creators"]]) void queryClient.invalidateQueries({ queryKey });
}
