import type { Client } from "@tandem/client";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useApi } from "./context.ts";
import { useMe } from "./me.ts";

/** Milliseconds between two looks, where no stream tells. */
const EVERY = 60_000;

export const unreadQuery = (api: Client) =>
  queryOptions({
    queryKey: ["notifications", "unread"],
    queryFn: async ({ signal }) => (await api.countNotifications(undefined, { signal })).unread,
    refetchInterval: EVERY,
  });

/** How many notices wait for the reader; 0 for a stranger. */
export function useUnread(): number {
  const me = useMe();
  const { data = 0 } = useQuery({
    ...unreadQuery(useApi()),
    enabled: me !== null && typeof document !== "undefined",
  });
  return me ? data : 0;
}
