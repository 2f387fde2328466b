import type { FlatClient } from "@tandem/client";
import { routes } from "@tandem/contract/routes";
import type { SavedSearch } from "@tandem/contract/saved-searches";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { type FeedFilters, filtersFrom } from "./posts.ts";

const key = "savedSearches";

export const savedSearchesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: [key, "all"],
    queryFn: async ({ signal }) => (await api.listSavedSearches({}, { signal })).searches,
  });

/** Whether a saved search has new matches. */
export const hasNewQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: [key, "new", id],
    queryFn: async ({ signal }) => (await api.readSavedSearch({ id }, { signal })).hasNew,
    staleTime: 30_000,
  });

/** A saved search's matches count as seen. */
export function searchSeen(queryClient: QueryClient, id: number): void {
  queryClient.setQueryData([key, "new", id], false);
}

export const invalidateSearches = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [key, "all"] });

/** The query of the page that shows what a saved search finds. */
export const addressOf = ({ query }: Pick<SavedSearch, "query">): Record<string, string | undefined> => query;

/** The saved search that a page shows the results of. */
export function savedAs(filters: FeedFilters, searches: readonly SavedSearch[]): SavedSearch | undefined {
  const shown = asKey(filters);
  return searches.find((search) => asKey(filtersFrom(addressOf(search))) === shown);
}

function asKey({ cursor: _cursor, ...filters }: FeedFilters): string {
  return JSON.stringify(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Filters as a saved search can have them; null if it can't have one of them. */
export function savable({ cursor: _cursor, ...filters }: FeedFilters): SavedSearch["query"] | null {
  const { body } = routes.createSavedSearch;
  return Object.keys(filters).every((name) => body.includes(name)) ? (filters as SavedSearch["query"]) : null;
}
