import type { FlatClient } from "@tandem/client";
import { queryOptions } from "@tanstack/react-query";

/** Whose session is parked in this browser while it acts as an agent; null if there is none. */
export const parkedSessionQuery = (api: FlatClient) =>
  queryOptions({
    queryKey: ["parked"],
    queryFn: async ({ signal }) => (await api.readParkedSession(undefined, { signal })).parked,
  });

export type { ParkedSession } from "@tandem/contract/account-resources";
