import type { FlatClient } from "@tandem/client";
import { limits } from "@tandem/contract/limits";
import type { Notification, NotificationType } from "@tandem/contract/notifications";
import { type InfiniteData, infiniteQueryOptions, type QueryClient } from "@tanstack/react-query";
import { mapPages, pageCursor, paging } from "./pagination.ts";

interface Page {
  notifications: Notification[];
  nextCursor: number | null;
}

/** The tabs of the notifications page: the types that each lists. */
const typesByTab = {
  all: null,
  mentions: ["mention", "reply", "quote"],
  approvals: ["approval_wanted", "friend_request"],
} as const satisfies Record<string, readonly NotificationType[] | null>;

export type NotificationTab = keyof typeof typesByTab;

export const notificationTabs = Object.keys(typesByTab) as NotificationTab[];

/** Whether a tab lists notifications of this type. */
const lists = (tab: NotificationTab, type: NotificationType): boolean =>
  (typesByTab[tab] as readonly NotificationType[] | null)?.includes(type) ?? true;

export const notificationsQuery = (api: FlatClient, tab: NotificationTab = "all") =>
  infiniteQueryOptions({
    queryKey: [...listsKey, tab],
    queryFn: ({ pageParam, signal }): Promise<Page> => {
      const type = typesByTab[tab]?.join();
      return api.listNotifications({ ...(type && { type }), ...pageCursor(pageParam) }, { signal });
    },
    ...paging,
  });

const listsKey = ["notifications", "list"];

/** Refetches the lists: answering a request removes its notification. */
export const refreshNotifications = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: listsKey });

export const unreadKey = ["notifications", "unread"];

/** The notifications of all pages, newest first. */
export const notificationsOf = ({ pages }: Pick<InfiniteData<Page>, "pages">): Notification[] =>
  pages.flatMap(({ notifications }) => notifications);

/** Adds a notification to the top of each cached list that it belongs to. */
export function addNotification(queryClient: QueryClient, notification: Notification): void {
  for (const tab of notificationTabs)
    if (lists(tab, notification.type))
      changeList(queryClient, tab, (page, isFirst) => {
        const others = page.filter(({ id }) => id !== notification.id);
        return isFirst ? [notification, ...others] : others;
      });
  // What asks for a decision, which its buttons need.
  if (notification.type === "approval_wanted") void queryClient.invalidateQueries({ queryKey: ["drafts"] });
  if (notification.type === "friend_request") void queryClient.invalidateQueries({ queryKey: ["people"] });
  if (notification.type === "moderation") void queryClient.invalidateQueries({ queryKey: ["standing"] });
}

/** Marks all notifications as read in the cache. */
export function markAllAsRead(queryClient: QueryClient): void {
  queryClient.setQueryData(unreadKey, 0);
  showAsRead(queryClient, () => true);
}

/**
 * Marks notifications as read that the reader has opened. If that fails they stay unread, which the lists show when they are
 * fetched again: it's not worth an error message.
 */
export async function markAsRead(
  api: FlatClient,
  queryClient: QueryClient,
  ids: readonly number[],
): Promise<void> {
  showAsRead(queryClient, (id) => ids.includes(id));
  try {
    for (let start = 0; start < ids.length; start += limits.notifications) {
      const some = ids.slice(start, start + limits.notifications);
      const { unread } = await api.markNotificationsRead({ ids: some });
      queryClient.setQueryData(unreadKey, unread);
    }
  } catch {
    void refreshNotifications(queryClient);
  }
}

function showAsRead(queryClient: QueryClient, isRead: (id: number) => boolean): void {
  for (const tab of notificationTabs)
    changeList(queryClient, tab, (page) =>
      page.map((notification) => (isRead(notification.id) ? { ...notification, read: true } : notification)),
    );
}

function changeList(
  queryClient: QueryClient,
  tab: NotificationTab,
  change: (notifications: Notification[], isFirst: boolean) => Notification[],
): void {
  queryClient.setQueryData<InfiniteData<Page>>([...listsKey, tab], (list) =>
    mapPages(list, (page) => ({
      ...page,
      notifications: change(page.notifications, page === list?.pages[0]),
    })),
  );
}
