import { type NotificationTab, notificationTabs } from "../../data/notifications.ts";
import { useText } from "../../i18n/use-text.tsx";
import { TabLink, TabLinks } from "../../ui/tab-link.tsx";
import { NOTIFICATIONS_PATH } from "./notification-paths.ts";

/** Which notifications to list, kept in the URL. */
export function NotificationTabs({ selected }: { selected: NotificationTab }) {
  const { t } = useText();
  return (
    <TabLinks label={t("nav.notifications")} className="mb-3">
      {notificationTabs.map((tab) => (
        <TabLink
          key={tab}
          to={NOTIFICATIONS_PATH}
          search={tab === "all" ? {} : { tab }}
          aria-current={tab === selected ? "page" : undefined}
        >
          {t(`notifications.tab.${tab}`)}
        </TabLink>
      ))}
    </TabLinks>
  );
}
