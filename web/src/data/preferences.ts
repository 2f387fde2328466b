import type { FlatClient } from "@tandem/client";
import type { AiContent, Preferences, SensitiveContent } from "@tandem/contract/resources";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../shared/context.ts";
import { choiceOf, useChoice } from "./choices.ts";
import { meQuery, useMe } from "./me.ts";
import type { FeedFilters } from "./posts.ts";
import { useAction } from "./use-action.ts";

/** A member's preferences for AI content and sensitive posts. */
export const preferencesQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["preferences"],
    queryFn: async ({ signal }) => (await api.readPreferences(undefined, { signal })).preferences,
    staleTime: Number.POSITIVE_INFINITY,
  });

/**
 * How to show AI posts, and a setter: a member's account preference, or a visitor's choice for this browser.
 */
export function useAiPosts(): [preference: AiContent, setPreference: (next: AiContent) => void] {
  const me = useMe();
  const { data: preferences } = useQuery({ ...preferencesQuery(useApi()), enabled: me !== null });
  const [visitorChoice, setVisitorChoice] = useChoice("ai");
  const setPreferences = useSetPreferences();
  return me
    ? [preferences?.aiPosts ?? "show", (aiPosts) => setPreferences({ aiPosts })]
    : [visitorChoice, setVisitorChoice];
}

/** How to show posts with a content warning or sensitive media. Visitors see the warning. */
export function useSensitivePosts(): SensitiveContent {
  const me = useMe();
  const { data: preferences } = useQuery({ ...preferencesQuery(useApi()), enabled: me !== null });
  return (me && preferences?.sensitivePosts) || "warn";
}

/** Changes a member's preferences, optimistically. */
export function useSetPreferences(): (changes: Partial<Preferences>) => void {
  const queryClient = useQueryClient();
  const { queryKey } = preferencesQuery(useApi());
  return useAction((api, changes: Partial<Preferences>) => api.editPreferences(changes), {
    optimistic: (changes) => {
      const before = queryClient.getQueryData<Preferences>(queryKey);
      queryClient.setQueryData<Preferences>(queryKey, (now) => now && { ...now, ...changes });
      return () => queryClient.setQueryData(queryKey, before);
    },
    onSuccess: ({ preferences }) => {
      queryClient.setQueryData(queryKey, preferences);
      // The server leaves out hidden posts, so cached lists are outdated.
      void queryClient.resetQueries({ queryKey: ["posts", "list"] });
    },
  }).mutate;
}

/** Applies a visitor's choice to hide AI posts. For members, the server applies their preference. */
function withAiPreference(filters: FeedFilters, me: unknown, ai: AiContent): FeedFilters {
  const hasOwnFilter = filters.provenance !== undefined || filters.author !== undefined;
  return me || hasOwnFilter || ai !== "hide" ? filters : { ...filters, provenance: "human,ai_assisted" };
}

/** The same before rendering, from the cache. */
export const initialFilters = (
  queryClient: QueryClient,
  api: FlatClient,
  filters: FeedFilters,
): FeedFilters =>
  withAiPreference(filters, queryClient.getQueryData(meQuery(api).queryKey), choiceOf(queryClient, "ai"));

export function useAppliedFilters(filters: FeedFilters): FeedFilters {
  const [ai] = useAiPosts();
  return withAiPreference(filters, useMe(), ai);
}
