import { type Messages, setupI18n } from "@lingui/core";
import type { NotificationType } from "@tandem/contract/notifications";
import type { PushMessage, PushNotice } from "@tandem/contract/push";
import { groupKey } from "../areas/notifications/groups.ts";
import { NOTIFICATIONS_PATH, pathOf } from "../areas/notifications/notification-paths.ts";
import { defaultLocale } from "../i18n/locales.ts";

/* What the worker shows where something is pushed to it. Each push must show something: browsers take the right back else. */

/** What is remembered with something that is shown. */
interface NotificationData {
  /** Where a press leads. */
  to: string;
  /** Who did it, by their usernames. */
  names: string[];
}

type PushNotificationOptions = Omit<NotificationOptions, "data"> & {
  data: NotificationData;
  timestamp?: number;
};

/** The part of a worker's registration that is needed here. */
export interface NotificationBoard {
  showNotification(title: string, options: PushNotificationOptions): Promise<void>;
  getNotifications(filter: { tag: string }): Promise<{ data: NotificationData | null }[]>;
}

type PushTexts = (key: `notifications.${NotificationType | "test" | "something"}`, values?: object) => string;

const texts = import.meta.glob<{ default: Messages }>("../areas/notifications/messages.*.json", {
  eager: true,
});

/** The notices' own words, without the marks that a page makes bold letters of. */
function textsIn(locale: string): PushTexts {
  const messagesIn = (name: string) => texts[`../areas/notifications/messages.${name}.json`]?.default;
  const i18n = setupI18n();
  i18n.load(locale, messagesIn(locale) ?? messagesIn(defaultLocale) ?? {});
  i18n.activate(locale);
  return (key, values) => i18n._(key, { ...values }).replace(/<\/?b>/g, "");
}

/** Shows what a push says, each thing once, in the language of the worker. */
export async function showPush(
  board: NotificationBoard,
  pushed: string | undefined,
  locale: string,
): Promise<void> {
  const text = textsIn(locale);
  const { test, notices } = parsePush(pushed);
  const common = { lang: locale, dir: "auto", icon: "/icon-192.png" } as const;
  if (notices.length === 0) {
    const title = text(test ? "notifications.test" : "notifications.something");
    return board.showNotification(title, {
      ...common,
      tag: "tandem",
      data: { to: NOTIFICATIONS_PATH, names: [] },
    });
  }
  await Promise.all(
    [...groupByKey(notices)].map(async ([tag, group]) => {
      const [latest] = group;
      if (!latest) return;
      const names = await actorNames(board, tag, group);
      const { actor, title, createdAt, keyHint } = latest;
      const values = {
        name: actor.displayName ?? actor.username,
        others: names.length - 1,
        key: keyHint ?? "",
      };
      await board.showNotification(text(`notifications.${latest.type}`, values), {
        ...common,
        ...(title !== null && { body: title }),
        ...(actor.avatarUrl !== null && { icon: actor.avatarUrl }),
        tag,
        timestamp: Date.parse(createdAt),
        data: { to: pathOf(latest), names },
      });
    }),
  );
}

/** What isn't as it should be tells at least that there is something. */
function parsePush(pushed: string | undefined): PushMessage {
  try {
    const { test, notices } = JSON.parse(pushed ?? "") as PushMessage;
    return { test, notices: [...notices] };
  } catch {
    return { test: false, notices: [] };
  }
}

function groupByKey(notices: readonly PushNotice[]): Map<string, PushNotice[]> {
  const groups = new Map<string, PushNotice[]>();
  for (const notice of notices)
    groups.set(groupKey(notice), [...(groups.get(groupKey(notice)) ?? []), notice]);
  return groups;
}

/** Who did the same, the latest first, with those that are shown already: what comes takes the place of that. */
async function actorNames(
  board: NotificationBoard,
  tag: string,
  group: readonly PushNotice[],
): Promise<string[]> {
  const before = await board.getNotifications({ tag });
  const earlier = before.flatMap(({ data }) => data?.names ?? []);
  return [...new Set([...group.map(({ actor }) => actor.username), ...earlier])];
}
