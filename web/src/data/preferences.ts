import type { Client } from "@tandem/client";
import type { AiContent, Preferences } from "@tandem/contract/resources";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useAction } from "./actions.ts";
import { choiceOf, useChoice } from "./choices.ts";
import { useApi } from "./context.ts";
import { meQuery, useMe } from "./me.ts";
import type { FeedFilters } from "./posts.ts";

/** What a member wants to see of AI content. */
export const preferencesQuery = (api: Client) =>
  queryOptions({
    queryKey: ["preferences"],
    queryFn: async ({ signal }) => (await api.readPreferences(undefined, { signal })).preferences,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** How the reader wants posts by AI, and how to want them otherwise: a member's preference, a stranger's choice. */
export function useAiPosts(): [wanted: AiContent, want: (next: AiContent) => void] {
  const me = useMe();
  const data = useQueryClient();
  const query = preferencesQuery(useApi());
  const { data: preferences } = useQuery({ ...query, enabled: me !== null });
  const [chosen, choose] = useChoice("ai");
  const edit = useAction((api, aiPosts: AiContent) => api.editPreferences({ aiPosts }), {
    before: (aiPosts) => {
      const before = data.getQueryData<Preferences>(query.queryKey);
      data.setQueryData<Preferences>(query.queryKey, (now) => now && { ...now, aiPosts });
      return () => data.setQueryData(query.queryKey, before);
    },
    after: ({ preferences }) => {
      data.setQueryData(query.queryKey, preferences);
      // What is hidden the service leaves out, so the lists are others now.
      void data.resetQueries({ queryKey: ["posts", "list"] });
    },
  });
  return me ? [preferences?.aiPosts ?? "show", edit.mutate] : [chosen, choose];
}

/** Filters as the reader wants them: for members the service sees to it, strangers ask it for what isn't hidden. */
export function wanted(filters: FeedFilters, me: unknown, ai: AiContent): FeedFilters {
  const chosen = filters.provenance !== undefined || filters.author !== undefined;
  return me || chosen || ai !== "hide" ? filters : { ...filters, provenance: "human,ai_assisted" };
}

/** The same before anything is drawn. */
export const wantedOf = (data: QueryClient, api: Client, filters: FeedFilters): FeedFilters =>
  wanted(filters, data.getQueryData(meQuery(api).queryKey), choiceOf(data, "ai"));

export function useWanted(filters: FeedFilters): FeedFilters {
  const [ai] = useAiPosts();
  return wanted(filters, useMe(), ai);
}
