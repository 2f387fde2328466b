import type { I18n } from "@lingui/core";
import { useEffect } from "react";
import { useUnread } from "../data/unread.ts";
import type { TextKey } from "../i18n/keys.ts";
import { useView } from "../router/provider.tsx";
import type { View } from "../router/router.ts";
import { useApp } from "../shared/context.ts";
import { NotFound } from "../shared/page.ts";

export const SITE = "Tandem";

/** The title for the browser's tab: how much is unread, the page, and the site. */
export function documentTitle(view: View | null, i18n: I18n, unread = 0): string {
  const name = pageName(view, i18n);
  const title = name === SITE ? SITE : `${name} · ${SITE}`;
  return unread > 0 ? `(${unread > 99 ? "99+" : unread}) ${title}` : title;
}

function pageName(view: View | null, i18n: I18n): string {
  const text = (key: TextKey) => i18n._(key);
  const visit = view?.page;
  if (!visit) return text(view?.error instanceof NotFound ? "frame.notFound" : "frame.loadFailed");
  if (visit.requiredRole === null) return visit.page.head(visit.request).title;
  if (visit.requiredRole === "members") return visit.logIn?.title ?? text("frame.membersOnly");
  return text(visit.requiredRole === "admins" ? "frame.adminsOnly" : "frame.peopleOnly");
}

/** Keeps the tab's title up to date. */
export function DocumentTitle() {
  const view = useView();
  const { i18n } = useApp();
  const title = documentTitle(view, i18n, useUnread("notifications") + useUnread("messages"));
  useEffect(() => {
    document.title = title;
  }, [title]);
  return null;
}
