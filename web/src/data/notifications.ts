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

/** Adds a notification to the top of the list, if the list is cached. */
export function addNotification(queryClient: QueryClient, notification: Notification): void {
  queryClient.setQueryData<Notification[]>(
    notificationsKey,
    (list) =>
      list &&
      [notification, ...list.filter(({ id }) => id !== notification.id)].slice(0, limits.notifications),
  );
}

/** Marks all notifications as read in the cache. */
export function markAllAsRead(queryClient: QueryClient): void {
  queryClient.setQueryData(unreadKey, 0);
  queryClient.setQueryData<Notification[]>(notificationsKey, (list) =>
    list?.map((notification) => ({ ...notification, read: true })),
  );
}
