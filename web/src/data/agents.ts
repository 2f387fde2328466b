import type { Client } from "@tandem/client";
import {
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useApi } from "../shared/context.ts";
import { pageCursor, paging } from "./pagination.ts";

/** The agents that one operates. */
export const agentsQuery = (api: Client) =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: async ({ signal }) => (await api.listAgents({}, { signal })).agents,
  });

/** One's keys, those of one's agents included. */
export const keysQuery = (api: Client) =>
  queryOptions({
    queryKey: ["keys"],
    queryFn: async ({ signal }) => (await api.listKeys({}, { signal })).keys,
  });

/** How a key stands: what is left of its quotas, and what its next tier needs. */
export const keyStatusQuery = (api: Client, id: number) =>
  queryOptions({
    queryKey: ["keys", id, "standing"],
    queryFn: ({ signal }) => api.readKey({ id }, { signal }),
  });

/** What is written and waits until one approves it; drafts of one's own are left out. */
export const pendingDraftsQuery = (api: Client) =>
  queryOptions({
    queryKey: ["drafts", "waiting"],
    queryFn: async ({ signal }) => {
      const { drafts } = await api.listDrafts({ limit: 50 }, { signal });
      return drafts.filter(({ state }) => state === "pending");
    },
  });

/** What keys and agents of one's own did: all of them, or one agent. */
export const activityQuery = (api: Client, agentId: number | null) =>
  infiniteQueryOptions({
    queryKey: ["activity", agentId],
    queryFn: ({ pageParam, signal }) =>
      api.listActivity({ ...(agentId !== null && { agentId }), ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** After a change to agents or keys: whatever tells of them is asked for again. */
export function invalidateAgents(queryClient: QueryClient): void {
  for (const queryKey of [["agents"], ["keys"], ["activity"], ["drafts"]])
    void queryClient.invalidateQueries({ queryKey });
}

/** Milliseconds between two looks at what agents are at. */
const POLL_INTERVAL = 5_000;

/**
 * Keeps what is told of agents as it is for as long as the page is seen: whether something new was done is looked up, and only
 * then all else. What waits for a word and when a key was used is no deed.
 */
export function useAgentsLive(): void {
  const api = useApi();
  const queryClient = useQueryClient();
  const refetchInterval = POLL_INTERVAL;
  useQuery({ ...keysQuery(api), refetchInterval });
  useQuery({ ...pendingDraftsQuery(api), refetchInterval });
  const { data: newest } = useQuery({
    queryKey: ["newest deed"],
    queryFn: async ({ signal }) => (await api.listActivity({ limit: 1 }, { signal })).activity[0]?.id ?? 0,
    refetchInterval,
    staleTime: 0,
  });
  const previous = useRef(newest);
  useEffect(() => {
    if (previous.current !== undefined && newest !== previous.current) invalidateAgents(queryClient);
    previous.current = newest;
  }, [newest, queryClient]);
}
