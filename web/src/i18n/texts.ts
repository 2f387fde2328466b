import { type I18n, type Messages, setupI18n } from "@lingui/core";
import type { Area } from "../shared/paths.ts";
import type { Locale } from "./locales.ts";

const common = import.meta.glob<{ default: Messages }>("./messages.*.json");
const ofPressed = import.meta.glob<{ default: Messages }>("../posts/messages.*.json");
const ofAreas = import.meta.glob<{ default: Messages }>("../areas/*/messages.*.json");

/** The texts of one language, as far as they were loaded. */
export async function openTexts(locale: Locale): Promise<I18n> {
  const i18n = setupI18n({ missing: (_, id) => id });
  i18n.load(locale, await from(common[`./messages.${locale}.json`]));
  i18n.activate(locale);
  return i18n;
}

/** Adds what the pages of an area say; nothing where that was done. */
export async function addTexts(i18n: I18n, area: Area): Promise<void> {
  i18n.load(i18n.locale, await from(ofAreas[`../areas/${area}/messages.${i18n.locale}.json`]));
}

/** Adds what those parts of a page say that only some press asks for. */
export async function addPressedTexts(i18n: I18n): Promise<void> {
  i18n.load(i18n.locale, await from(ofPressed[`../posts/messages.${i18n.locale}.json`]));
}

async function from(load: (() => Promise<{ default: Messages }>) | undefined): Promise<Messages> {
  if (!load) throw new Error("a language lacks the texts of an area");
  return (await load()).default;
}
