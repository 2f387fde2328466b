import { useApp } from "../shared/context.ts";
import type { TextKey } from "./keys.ts";

export type Values = Record<string, string | number>;
export type Translate = (key: TextKey, values?: Values) => string;

/** Returns the translation function for the reader's language: `t("feed.empty")`. Texts are ICU messages. */
export function useText(): { t: Translate; locale: string } {
  const { i18n } = useApp();
  return { t: (key, values) => i18n._(key, values), locale: i18n.locale };
}
