import { type FlatClient, TandemError } from "@tandem/client";
import type { User } from "@tandem/contract/resources";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useApi } from "../shared/context.ts";

/** The signed-in account; null for visitors. */
export const meQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["me"],
    queryFn: async (): Promise<User | null> => {
      try {
        return (await api.me()).user;
      } catch (error) {
        if (error instanceof TandemError && error.status === 401) return null;
        throw error;
      }
    },
    staleTime: Number.POSITIVE_INFINITY,
  });

export function useMe(): User | null {
  return useQuery(meQuery(useApi())).data ?? null;
}
