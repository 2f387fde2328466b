import type { Client } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { type QueryClient, queryOptions } from "@tanstack/react-query";

export const noticesQuery = (api: Client) =>
  queryOptions({
    queryKey: noticesKey,
    queryFn: async ({ signal }) => (await api.listNotifications({}, { signal })).notifications,
  });

export const noticesKey = ["notifications", "list"];
export const unreadKey = ["notifications", "unread"];

/** Puts what just came on top of what was read before, if anything was. */
export function addNotice(data: QueryClient, notice: Notification): void {
  data.setQueryData<Notification[]>(
    noticesKey,
    (list) => list && [notice, ...list.filter(({ id }) => id !== notice.id)].slice(0, limits.notifications),
  );
}

/** Shows all as read. */
export function readAll(data: QueryClient): void {
  data.setQueryData(unreadKey, 0);
  data.setQueryData<Notification[]>(noticesKey, (list) => list?.map((one) => ({ ...one, read: true })));
}
