import type { Client } from "@tandem/client";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
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

/** Keeps the count and the list of notices as they are, for as long as the app is open. */
export function useNoticeStream(): void {
  const id = useMe()?.id;
  const api = useApi();
  const data = useQueryClient();
  useEffect(() => {
    if (id === undefined) return;
    const ended = new AbortController();
    void import("./notice-stream.ts").then(
      ({ followNotices }) => !ended.signal.aborted && followNotices(api, data, id, ended.signal),
    );
    return () => ended.abort();
  }, [id, api, data]);
}
