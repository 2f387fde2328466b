import type { Client } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import type { Notification } from "@tandem/contract/notifications";
import { type QueryClient, queryOptions } from "@tanstack/react-query";

export const notificationsQuery = (api: Client) =>
  queryOptions({
    queryKey: notificationsKey,
    queryFn: async ({ signal }) => (await api.listNotifications({}, { signal })).notifications,
  });

export const notificationsKey = ["notifications", "list"];
export const unreadKey = ["notifications", "unread"];

/** Puts what just came on top of what was read before, if anything was. */
export function addNotification(queryClient: QueryClient, notification: Notification): void {
  queryClient.setQueryData<Notification[]>(
    notificationsKey,
    (list) =>
      list &&
      [notification, ...list.filter(({ id }) => id !== notification.id)].slice(0, limits.notifications),
  );
}

/** Shows all as read. */
export function markAllAsRead(queryClient: QueryClient): void {
  queryClient.setQueryData(unreadKey, 0);
  queryClient.setQueryData<Notification[]>(notificationsKey, (list) =>
    list?.map((notification) => ({ ...notification, read: true })),
  );
}
