import { useQuery, useQueryClient } from "@tanstack/react-query";
import { CheckCheck } from "lucide-react";
import { markAllAsRead, notificationsQuery } from "../../data/notifications.ts";
import { useUnread } from "../../data/unread.ts";
import { useAction } from "../../data/use-action.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useApi } from "../../shared/context.ts";
import { page } from "../../shared/page.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { groupsOf } from "./groups.ts";
import { Notice } from "./notification-item.tsx";

export const Notifications = page({
  load: ({ api, queryClient }) => queryClient.ensureQueryData(notificationsQuery(api)),
  head: ({ i18n }) => ({ title: i18n._("nav.notifications"), unlisted: true }),
  View: NotificationsView,
});

function NotificationsView() {
  const { t } = useText();
  const { data: notices } = useQuery({ ...notificationsQuery(useApi()), refetchOnMount: "always" });
  const shown = notices?.filter(({ read }) => !read).length ?? 0;
  // Of all that there are; the service counts only those that it draws.
  const all = useUnread("notifications");
  const unread = useHydrated() ? all : shown;
  return (
    <div className="column">
      <PageTitle actions={unread + shown > 0 && <ReadAll />}>{t("nav.notifications")}</PageTitle>
      <p role="status" className="sr-only">
        {t("nav.unread", { unread })}
      </p>
      {!notices ? (
        <SkeletonCards />
      ) : notices.length === 0 ? (
        <Empty title={t("notifications.empty")}>{t("notifications.emptySays")}</Empty>
      ) : (
        <ul className="card divide-y overflow-hidden max-sm:rounded-none max-sm:border-x-0">
          {groupsOf(notices).map((group) => (
            <Notice key={group.id} group={group} />
          ))}
        </ul>
      )}
    </div>
  );
}

function ReadAll() {
  const { t } = useText();
  const queryClient = useQueryClient();
  const read = useAction((api) => api.readNotifications(), { onSuccess: () => markAllAsRead(queryClient) });
  return (
    <Button onClick={() => read.mutate()} busy={read.isPending}>
      <CheckCheck className="size-4" aria-hidden="true" />
      {t("notifications.readAll")}
    </Button>
  );
}
