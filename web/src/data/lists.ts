import type { FlatClient } from "@tandem/client";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import type { CreatorRef } from "./creators.ts";
import { authorKey } from "./hidden-posts.ts";
import { dropPosts } from "./posts.ts";

export const listsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["lists", "all"],
    queryFn: async ({ signal }) => (await api.listLists({}, { signal })).lists,
  });

/** A list with its creators. */
export const listQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["lists", "one", id],
    queryFn: ({ signal }) => api.readList({ id }, { signal }),
  });

/** All lists, and whether each includes a creator. */
export const listsWithQuery = (api: FlatClient, { platform, author }: CreatorRef) =>
  queryOptions({
    queryKey: ["lists", "with", platform, author],
    queryFn: async ({ signal }) => (await api.listLists({ platform, author }, { signal })).lists,
  });

/** Updates the cache after a creator was put on a list or taken off it. An open feed of the list loses their posts at once, and the reader keeps their place. */
export function applyMembership(
  queryClient: QueryClient,
  id: number,
  creator: CreatorRef,
  isMember: boolean,
): Promise<void> {
  if (!isMember)
    dropPosts(
      queryClient,
      (post) => authorKey(post) === authorKey(creator),
      ({ listId }) => Number(listId) === id,
    );
  return invalidateLists(queryClient, id);
}

/** Reads lists again after a change. The feed of a changed list is outdated, too. */
export function invalidateLists(queryClient: QueryClient, changed?: number): Promise<void> {
  if (changed !== undefined)
    queryClient.removeQueries({ queryKey: ["posts", "list", { listId: changed }], type: "inactive" });
  return queryClient.invalidateQueries({ queryKey: ["lists"] });
}
