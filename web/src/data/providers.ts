import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** The configured sign-in providers. */
export const providersQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["providers"],
    queryFn: async ({ signal }) => (await api.listProviders({}, { signal })).providers,
    staleTime: Number.POSITIVE_INFINITY,
  });

export type { Provider } from "@tandem/contract/account-resources";
