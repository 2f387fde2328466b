import type { Client } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Creators whose name holds every word. */
export const creatorHitsQuery = (api: Client, q: string) =>
  queryOptions({
    queryKey: ["creators", "hits", q],
    queryFn: async ({ signal }) => (await api.searchCreators({ q }, { signal })).creators,
  });
