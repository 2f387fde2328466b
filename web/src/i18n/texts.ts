import { type I18n, type Messages, setupI18n } from "@lingui/core";
import type { Locale } from "../shared/locales.ts";
import type { Area } from "../shared/paths.ts";

const commonTexts = import.meta.glob<{ default: Messages }>("./messages.*.json");
const onDemandTexts = import.meta.glob<{ default: Messages }>("../posts/messages.*.json");
const areaTexts = import.meta.glob<{ default: Messages }>("../areas/*/messages.*.json");

/** Loads the common texts of one language. */
export async function loadI18n(locale: Locale): Promise<I18n> {
  const i18n = setupI18n({ missing: (_, id) => id });
  i18n.load(locale, await loadMessages(commonTexts[`./messages.${locale}.json`]));
  i18n.activate(locale);
  return i18n;
}

/** Adds an area's texts. Adding them twice does no harm. */
export async function addTexts(i18n: I18n, area: Area): Promise<void> {
  i18n.load(i18n.locale, await loadMessages(areaTexts[`../areas/${area}/messages.${i18n.locale}.json`]));
}

/** Adds the texts of the components in `posts/` that are loaded on demand. */
export async function addOnDemandTexts(i18n: I18n): Promise<void> {
  i18n.load(i18n.locale, await loadMessages(onDemandTexts[`../posts/messages.${i18n.locale}.json`]));
}

async function loadMessages(load: (() => Promise<{ default: Messages }>) | undefined): Promise<Messages> {
  if (!load) throw new Error("a language lacks the texts of an area");
  return (await load()).default;
}
