import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { Ban, BellOff, CheckCheck, SlidersHorizontal } from "lucide-react";
import { decisionsQuery } from "../../data/account.ts";
import { pendingDraftsQuery } from "../../data/agents.ts";
import {
  markAllAsRead,
  type NotificationTab,
  notificationsOf,
  notificationsQuery,
  notificationTabs,
} from "../../data/notifications.ts";
import { friendRequestsQuery } from "../../data/people.ts";
import { useUnread } from "../../data/unread.ts";
import { useAction } from "../../data/use-action.ts";
import type { TextKey } from "../../i18n/keys.ts";
import { addTexts } from "../../i18n/texts.ts";
import { useText } from "../../i18n/use-text.tsx";
import { useSearch } from "../../router/provider.tsx";
import { useApi } from "../../shared/context.ts";
import { type AddressValues, page } from "../../shared/page.ts";
import { Aside, AsideLink, AsideSection, WithAside } from "../../ui/aside.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadMore } from "../../ui/load-more.tsx";
import { EmptyState, PageTitle, SkeletonCards } from "../../ui/states.tsx";
import { useHydrated } from "../../ui/use-hydrated.ts";
import { groupNotifications } from "./groups.ts";
import { NotificationItem } from "./notification-item.tsx";
import { NotificationTabs } from "./tabs.tsx";

export const Notifications = page({
  load: async ({ api, queryClient, search, i18n }) => {
    const [list] = await Promise.all([
      queryClient.ensureInfiniteQueryData(notificationsQuery(api, tabOf(search))),
      addTexts(i18n, "composer"),
      addTexts(i18n, "people"),
    ]);
    const types = new Set(notificationsOf(list).map(({ type }) => type));
    // What buttons and sentences need. Without it, the page renders all the same.
    await Promise.allSettled([
      types.has("approval_wanted") && queryClient.ensureQueryData(pendingDraftsQuery(api)),
      types.has("friend_request") && queryClient.ensureQueryData(friendRequestsQuery(api)),
      types.has("moderation") && queryClient.ensureInfiniteQueryData(decisionsQuery(api)),
    ]);
  },
  head: ({ i18n }) => ({ title: i18n._("nav.notifications"), unlisted: true }),
  View: NotificationsView,
});

const tabOf = ({ tab }: AddressValues): NotificationTab =>
  notificationTabs.find((name) => name === tab) ?? "all";

/** What a tab says if it lists nothing. */
const emptyTexts = {
  all: ["notifications.empty", "notifications.emptyDescription"],
  mentions: ["notifications.noMentions", "notifications.noMentionsDescription"],
  approvals: ["notifications.noApprovals", "notifications.noApprovalsDescription"],
} as const satisfies Record<NotificationTab, readonly TextKey[]>;

function NotificationsView() {
  const { t } = useText();
  const tab = tabOf(useSearch());
  const list = useInfiniteQuery({ ...notificationsQuery(useApi(), tab), refetchOnMount: "always" });
  const [emptyTitle, emptyDescription] = emptyTexts[tab];
  const notifications = list.data && notificationsOf(list.data);
  const listedUnread = notifications?.filter(({ read }) => !read).length ?? 0;
  // The count of all unread notifications is known only after hydration. The server counts those on the page.
  const totalUnread = useUnread("notifications");
  const unread = useHydrated() ? totalUnread : listedUnread;
  return (
    <WithAside aside={<Controls />}>
      <div>
        <PageTitle actions={unread + listedUnread > 0 && <MarkAllAsReadButton />}>
          {t("nav.notifications")}
        </PageTitle>
        <p role="status" className="sr-only">
          {t("nav.unread", { unread })}
        </p>
        <NotificationTabs selected={tab} />
        {!notifications ? (
          <SkeletonCards />
        ) : notifications.length === 0 ? (
          <EmptyState title={t(emptyTitle)} drawing={tab === "approvals" ? "done" : "bell"}>
            {t(emptyDescription)}
          </EmptyState>
        ) : (
          <ul className="card-flush divide-y overflow-hidden">
            {groupNotifications(notifications).map((group) => (
              <NotificationItem key={group.id} group={group} />
            ))}
          </ul>
        )}
        {list.hasNextPage && <LoadMore list={list} />}
      </div>
    </WithAside>
  );
}

/** Where to choose what causes notifications. */
function Controls() {
  const { t } = useText();
  return (
    <Aside label={t("notifications.controls")}>
      <AsideSection title={t("notifications.controls")}>
        <AsideLink to="/settings/notifications" Icon={SlidersHorizontal}>
          {t("notifications.choose")}
        </AsideLink>
        <AsideLink to="/mutes" Icon={BellOff}>
          {t("people.mutes")}
        </AsideLink>
        <AsideLink to="/blocks" Icon={Ban}>
          {t("people.blocks")}
        </AsideLink>
      </AsideSection>
    </Aside>
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
