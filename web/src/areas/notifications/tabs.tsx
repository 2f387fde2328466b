import { type NotificationTab, notificationTabs } from "../../data/notifications.ts";
import { useText } from "../../i18n/use-text.tsx";
import { Link } from "../../ui/link.tsx";
import { NOTIFICATIONS_PATH } from "./notification-paths.ts";

/** Which notifications to list, kept in the URL. */
export function NotificationTabs({ selected }: { selected: NotificationTab }) {
  const { t } = useText();
  return (
    <nav
      aria-label={t("notifications.choose")}
      className="mb-3 flex gap-0.5 overflow-x-auto p-1 max-sm:px-3 sm:-ms-1 sm:gap-1"
    >
      {notificationTabs.map((tab) => (
        <Link
          key={tab}
          to={NOTIFICATIONS_PATH}
          search={tab === "all" ? {} : { tab }}
          aria-current={tab === selected ? "page" : undefined}
          className="inline-flex min-h-10 items-center rounded-full px-3 font-semibold whitespace-nowrap text-soft hover:bg-sunken aria-[current=page]:bg-ink aria-[current=page]:text-ground sm:px-4"
        >
          {t(`notifications.tab.${tab}`)}
        </Link>
      ))}
    </nav>
  );
}
