import type { FlatClient } from "@tandem/client";
import type { Notification } from "@tandem/contract/notifications";
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { mapPages, pageCursor, paging } from "./pagination.ts";

interface Page {
  notifications: Notification[];
  nextCursor: number | null;
}

export const notificationsQuery = (api: FlatClient) =>
  infiniteQueryOptions({
    queryKey: notificationsKey,
    queryFn: ({ pageParam, signal }): Promise<Page> =>
      api.listNotifications(pageCursor(pageParam), { signal }),
    ...paging,
  });

export const notificationsKey = ["notifications", "list"];
export const unreadKey = ["notifications", "unread"];

/** The notifications of all pages, newest first. */
export const notificationsOf = ({ pages }: Pick<InfiniteData<Page>, "pages">): Notification[] =>
  pages.flatMap(({ notifications }) => notifications);

/** Adds a notification to the top of the list, if the list is cached. */
export function addNotification(queryClient: QueryClient, notification: Notification): void {
  changeList(queryClient, (page, isFirst) => {
    const others = page.filter(({ id }) => id !== notification.id);
    return isFirst ? [notification, ...others] : others;
  });
}

/** Marks all notifications as read in the cache. */
export function markAllAsRead(queryClient: QueryClient): void {
  queryClient.setQueryData(unreadKey, 0);
  changeList(queryClient, (page) => page.map((notification) => ({ ...notification, read: true })));
}

function changeList(
  queryClient: QueryClient,
  change: (notifications: Notification[], isFirst: boolean) => Notification[],
): void {
  queryClient.setQueryData<InfiniteData<Page>>(notificationsKey, (list) =>
    mapPages(list, (page) => ({
      ...page,
      notifications: change(page.notifications, page === list?.pages[0]),
    })),
  );
}
