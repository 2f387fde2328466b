import { MINUTE } from "@tandem/contract/durations";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useApi } from "../shared/context.ts";
import { useMe } from "./me.ts";
import { usePollInterval } from "./poll.ts";

/** Milliseconds between two polls without a notification stream. */
const POLL_INTERVAL = MINUTE;

/** What has an unread count, cached under its name. */
export type Inbox = "notifications" | "messages";

/** The unread count; 0 for visitors. */
export function useUnread(inbox: Inbox): number {
  const me = useMe();
  const api = useApi();
  const { data = 0 } = useQuery({
    queryKey: [inbox, "unread"],
    queryFn: async ({ signal }) => {
      const request =
        inbox === "messages"
          ? api.listConversations({ limit: 1 }, { signal })
          : api.countNotifications({}, { signal });
      return (await request).unread;
    },
    refetchInterval: usePollInterval(POLL_INTERVAL),
    enabled: me !== null && typeof document !== "undefined",
  });
  return me ? data : 0;
}

/** Keeps notifications and messages up to date while the app is open. */
export function useNotificationStream(): void {
  const id = useMe()?.id;
  const api = useApi();
  const queryClient = useQueryClient();
  useEffect(() => {
    if (id === undefined) return;
    const ended = new AbortController();
    void import("./notification-stream.ts").then(
      ({ followNotifications }) =>
        !ended.signal.aborted && followNotifications(api, queryClient, id, ended.signal),
    );
    return () => ended.abort();
  }, [id, api, queryClient]);
}
