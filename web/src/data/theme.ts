import { SECONDS_PER_DAY } from "@tandem/contract/durations";
import { useSyncExternalStore } from "react";
import type { Locale } from "../shared/locales.ts";

/** The colour themes; "system" follows the operating system. */
export const themes = ["system", "light", "dark"] as const;
export type Theme = (typeof themes)[number];

/** How long a choice lasts, in seconds. */
const YEAR = 365 * SECONDS_PER_DAY;

/**
 * The server reads these cookies, so the page never flashes in another theme. The Cookie Store API isn't in
 * every browser, nor on pages served without HTTPS.
 */
function writeCookie(jar: Pick<Document, "cookie">, name: string, value: string | null): void {
  jar.cookie = `${name}=${value ?? ""}; path=/; max-age=${value === null ? 0 : YEAR}; samesite=lax`;
}

/** The document's current theme. */
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

/** The chosen theme; "system" during server rendering, where only the document has the theme. */
export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme, () => "system");

/** Switching the language reloads the page. */
export function chooseLocale(locale: Locale): void {
  writeCookie(document, "tandem_locale", locale);
  location.reload();
}

/** The theme in the cookie. The cached offline page was rendered without it. */
export function storedTheme(): Theme {
  const stored = /(?:^|; )tandem_theme=(light|dark)(?:;|$)/.exec(document.cookie)?.[1];
  return stored === "light" || stored === "dark" ? stored : "system";
}
