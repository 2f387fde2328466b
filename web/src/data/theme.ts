import { useSyncExternalStore } from "react";
import type { Locale } from "../i18n/locales.ts";

/** How the app is drawn: by the system's wish, or by the reader's. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** Seconds for which a choice holds. */
const YEAR = 31_536_000;

/**
 * The service reads the cookies as it draws, so nothing changes its colour after it was seen. The newer store for cookies isn't
 * in every browser, nor on pages that came by plain HTTP.
 */
function writeCookie(jar: Pick<Document, "cookie">, name: string, value: string | null): void {
  jar.cookie = `${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : YEAR}; samesite=lax`;
}

/** The theme that the document has. */
export function currentTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function chooseTheme(theme: Theme): void {
  writeCookie(document, "tandem_theme", theme === "system" ? null : theme);
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const listener of listeners) listener();
}

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The theme that was chosen. What the service draws doesn't tell it: there it is the document that does. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme, () => "system");

/** Another language is another document. */
export function chooseLocale(locale: Locale): void {
  writeCookie(document, "tandem_locale", locale);
  location.reload();
}

/** What the reader chose, as the document that is kept for times without a network doesn't know it. */
export function storedTheme(): Theme {
  const stored = /(?:^|; )tandem_theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  return stored === "light" || stored === "dark" ? stored : "system";
}
