import type { Client } from "@tandem/client";
import type { Block, Friend } from "@tandem/contract/people";
import { infiniteQueryOptions, type QueryClient, queryOptions } from "@tanstack/react-query";
import { authorKey, hide, unhide } from "./hidden-posts.ts";
import { from, paging } from "./pagination.ts";

export const friendsQuery = (api: Client) =>
  infiniteQueryOptions({
    queryKey: ["people", "friends"],
    queryFn: ({ pageParam, signal }): Promise<{ friends: Friend[]; nextCursor: number | null }> =>
      api.listFriends(from(pageParam), { signal }),
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
      api.listBlocks(from(pageParam), { signal }),
    ...paging,
  });

/** All that is read of friends, requests and blocks: one of them changes the others. */
export const peopleKey = ["people"];

/** After a block or its end: whatever shows the two to one another is as that says, wherever it was pressed. */
export function blockChanged(data: QueryClient, username: string, blocked: boolean): void {
  const author = authorKey({ platform: "native", author: username });
  if (blocked) hide(data, author);
  else {
    unhide(data, author);
    void data.resetQueries({ queryKey: ["posts", "list"] });
  }
  for (const queryKey of [peopleKey, ["creators"]]) void data.invalidateQueries({ queryKey });
}
