import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Milliseconds that suggestions are reused, such as when someone deletes what they typed. */
const FRESH = 60_000;

/** Accounts to mention whose name begins with this. */
export const mentionsQuery = (api: FlatClient, q: string) =>
  queryOptions({
    queryKey: ["completions", "mention", q.toLowerCase()],
    queryFn: async ({ signal }) => (await api.suggestMentions({ q }, { signal })).accounts,
    staleTime: FRESH,
  });

/** Hashtags that begin with this. */
export const tagsQuery = (api: FlatClient, q: string) =>
  queryOptions({
    queryKey: ["completions", "tag", q.toLowerCase()],
    queryFn: async ({ signal }) => (await api.listTags({ q }, { signal })).tags,
    staleTime: FRESH,
  });

/** Hashtags that many people use lately. */
export const trendingTagsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["trending"],
    queryFn: async ({ signal }) => (await api.listTags({}, { signal })).tags,
    staleTime: FRESH,
  });
