import { type Messages, setupI18n } from "@lingui/core";
import type { AiProvenance } from "@tandem/contract/digital-source-types";
import type { NotificationType } from "@tandem/contract/notifications";
import type { PushMessage, PushNotification } from "@tandem/contract/push";
import { groupKey } from "../areas/notifications/groups.ts";
import { NOTIFICATIONS_PATH, pathOf } from "../areas/notifications/notification-paths.ts";
import { fullName } from "../shared/full-name.ts";
import { defaultLocale } from "../shared/locales.ts";

/* Shows push messages as notifications. Each push must show something, or browsers revoke the permission. */

/** Stored with each notification that is shown. */
export interface NotificationData {
  /** The path to open on a click. */
  to: string;
  /** The usernames of those who did it. */
  names: string[];
  /** The ids of the notifications, which a click marks as read. */
  ids: number[];
}

type PushNotificationOptions = Omit<NotificationOptions, "data"> & {
  data: NotificationData;
  timestamp?: number;
};

/** The part of ServiceWorkerRegistration that is used here. */
export interface NotificationDisplay {
  showNotification(title: string, options: PushNotificationOptions): Promise<void>;
  getNotifications(filter: { tag: string }): Promise<{ data: NotificationData | null }[]>;
}

type PushTexts = (
  key: `notifications.${NotificationType | "test" | "generic" | "byAi" | `title.${AiProvenance}`}`,
  values?: object,
) => string;

const texts = import.meta.glob<{ default: Messages }>("../areas/notifications/messages.*.json", {
  eager: true,
});

/** The texts of the notifications page, without its markup for bold. */
function textsIn(locale: string): PushTexts {
  const messagesIn = (name: string) => texts[`../areas/notifications/messages.${name}.json`]?.default;
  const i18n = setupI18n();
  i18n.load(locale, messagesIn(locale) ?? messagesIn(defaultLocale) ?? {});
  i18n.activate(locale);
  return (key, values) => i18n._(key, { ...values }).replace(/<\/?b>/g, "");
}

/** Shows a push message's notifications, grouped, in the service worker's language. */
export async function showPush(
  registration: NotificationDisplay,
  pushed: string | undefined,
  locale: string,
): Promise<void> {
  const text = textsIn(locale);
  const { test, notices: notifications } = parsePush(pushed);
  const common = { lang: locale, dir: "auto", icon: "/icon-192.png" } as const;
  if (notifications.length === 0) {
    const title = text(test ? "notifications.test" : "notifications.generic");
    return registration.showNotification(title, {
      ...common,
      tag: "tandem",
      data: { to: NOTIFICATIONS_PATH, names: [], ids: [] },
    });
  }
  await Promise.all(
    [...groupByKey(notifications)].map(async ([tag, group]) => {
      const [latest] = group;
      if (!latest) return;
      const replaced = await replacedBy(registration, tag);
      const names = [...new Set([...group.map(({ actor }) => actor.username), ...replaced.names])];
      const ids = [...new Set([...group.map(({ id }) => id), ...replaced.ids])];
      const { actor, byAi, createdAt, keyHint, community } = latest;
      const title = titleOf(latest, text);
      const name = fullName(actor.username, actor.displayName);
      const values = {
        name: byAi ? text("notifications.byAi", { name }) : name,
        others: names.length - 1,
        key: keyHint ?? "",
        community: community ?? "",
      };
      await registration.showNotification(text(`notifications.${latest.type}`, values), {
        ...common,
        ...(title !== null && { body: title }),
        ...(actor.avatarUrl !== null && { icon: actor.avatarUrl }),
        tag,
        timestamp: Date.parse(createdAt),
        data: { to: pathOf(latest), names, ids },
      });
    }),
  );
}

/** The post's title, with a label if AI was involved. */
function titleOf({ title, titleProvenance: said }: PushNotification, text: PushTexts): string | null {
  if (title === null || said === null || said === "human") return title;
  return text(`notifications.title.${said}`, { title });
}

/** A message that can't be parsed still shows a generic notification. */
function parsePush(pushed: string | undefined): PushMessage {
  try {
    const { test, notices } = JSON.parse(pushed ?? "") as PushMessage;
    return { test, notices: [...notices] };
  } catch {
    return { test: false, notices: [] };
  }
}

function groupByKey(notifications: readonly PushNotification[]): Map<string, PushNotification[]> {
  const groups = new Map<string, PushNotification[]>();
  for (const notification of notifications) {
    const key = groupKey(notification);
    groups.set(key, [...(groups.get(key) ?? []), notification]);
  }
  return groups;
}

/** What is in the notification that a new one with this tag replaces. */
async function replacedBy(
  registration: NotificationDisplay,
  tag: string,
): Promise<Pick<NotificationData, "names" | "ids">> {
  const before = await registration.getNotifications({ tag });
  return {
    names: before.flatMap(({ data }) => data?.names ?? []),
    // A notification that an older version showed has no ids.
    ids: before.flatMap(({ data }) => data?.ids ?? []),
  };
}
