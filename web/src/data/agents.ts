import { type FlatClient, outcome } from "@tandem/client";
import type { Draft } from "@tandem/contract/drafts";
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

/** The reader's agents. */
export const agentsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["agents"],
    queryFn: async ({ signal }) => (await api.listAgents({}, { signal })).agents,
  });

/** The reader's keys, including those of their agents. */
export const keysQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["keys"],
    queryFn: async ({ signal }) => (await api.listKeys({}, { signal })).keys,
  });

/** A key's remaining quotas, and what it needs for the next tier. */
export const keyStatusQuery = (api: FlatClient, id: number) =>
  queryOptions({
    queryKey: ["keys", id, "standing"],
    queryFn: ({ signal }) => api.readKey({ id }, { signal }),
  });

/** The request for an agent with this code; null if it doesn't wait for a decision. */
export const agentRequestQuery = (api: FlatClient, code: string) =>
  queryOptions({
    queryKey: ["agent request", code],
    // Once decided, it is gone: the page keeps telling the decision.
    staleTime: Infinity,
    queryFn: async ({ signal }) => {
      const result = await outcome(api.readAgentRequest({ code }, { signal }));
      if (result.ok) return result.response.request;
      // A code that can't be one is as wrong as an old one.
      if (["not_found", "invalid_input"].includes(result.error.code)) return null;
      throw result.error;
    },
  });

/** Drafts that wait for the reader's approval. The reader's own drafts are left out. */
export const pendingDraftsQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["drafts", "waiting"],
    queryFn: async ({ signal }) => {
      const drafts: Draft[] = [];
      for (let cursor: number | null | undefined; cursor !== null; ) {
        const page = await api.listDrafts(
          { state: "pending", limit: 50, ...(cursor && { cursor }) },
          { signal },
        );
        drafts.push(...page.drafts);
        cursor = page.nextCursor;
      }
      return drafts;
    },
  });

/** What the reader's keys and agents did; one agent, or all if `agentId` is null. */
export const activityQuery = (api: FlatClient, agentId: number | null) =>
  infiniteQueryOptions({
    queryKey: ["activity", agentId],
    queryFn: ({ pageParam, signal }) =>
      api.listActivity({ ...(agentId !== null && { agentId }), ...pageCursor(pageParam) }, { signal }),
    ...paging,
  });

/** Invalidates everything that depends on agents or keys. The status of a key that was just revoked can't be fetched any more. */
export function invalidateAgents(queryClient: QueryClient, revokedKey: number | null = null): void {
  for (const queryKey of [["agents"], ["keys"], ["activity"], ["drafts"]])
    void queryClient.invalidateQueries({
      queryKey,
      predicate: ({ queryKey: [kind, key] }) => kind !== "keys" || key !== revokedKey,
    });
}

/** Milliseconds between two polls. */
const POLL_INTERVAL = 5_000;

/**
 * Keeps the agent pages up to date. Polls keys and pending drafts, which can change without a new activity,
 * and the newest activity's id; refetches everything else only when that id changes.
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
