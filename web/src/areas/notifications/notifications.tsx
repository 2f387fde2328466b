import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { markAllAsRead, notificationsOf, notificationsQuery } from "../../data/notifications.ts";
import { useUnread } from "../../data/unread.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { groupNotifications } from "./groups.ts";
import { NotificationItem } from "./notification-item.tsx";

export const Notifications = page({
  load: ({ api, queryClient }) => queryClient.ensureInfiniteQueryData(notificationsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("nav.notifications"), unlisted: true }),
  View: NotificationsView,
});

function NotificationsView() {
  const { t } = useText();
  const list = useInfiniteQuery({ ...notificationsQuery(useApi()), refetchOnMount: "always" });
  const notifications = list.data && notificationsOf(list.data);
  const listedUnread = notifications?.filter(({ read }) => !read).length ?? 0;
  // The count of all unread notifications is known only after hydration. The server counts those on the page.
  const totalUnread = useUnread("notifications");
  const unread = useHydrated() ? totalUnread : listedUnread;
  return (
    <div className="column">
      <PageTitle actions={unread + listedUnread > 0 && <MarkAllAsReadButton />}>
        {t("nav.notifications")}
      </PageTitle>
      <p role="status" className="sr-only">
        {t("nav.unread", { unread })}
      </p>
      {!notifications ? (
        <SkeletonCards />
      ) : notifications.length === 0 ? (
        <EmptyState title={t("notifications.empty")}>{t("notifications.emptyDescription")}</EmptyState>
      ) : (
        <ul className="card divide-y overflow-hidden max-sm:rounded-none max-sm:border-x-0">
          {groupNotifications(notifications).map((group) => (
            <NotificationItem key={group.id} group={group} />
          ))}
        </ul>
      )}
      {list.hasNextPage && <LoadMore list={list} />}
    </div>
  );
}

function MarkAllAsReadButton() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const markAllRead = useAction((api) => api.markNotificationsRead(), {
    onSuccess: () => markAllAsRead(queryClient),
  });
  return (
    <Button onClick={() => markAllRead.mutate()} busy={markAllRead.isPending}>
      <CheckCheck className="size-4" aria-hidden="true" />
      {t("notifications.readAll")}
    </Button>
  );
}
