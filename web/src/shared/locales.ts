/** The app's languages, by their own names. */
export const locales = {
  en: "English",
  de: "Deutsch",
  ar: "العربية",
  es: "Español",
  fr: "Français",
  ja: "日本語",
} as const;
export type Locale = keyof typeof locales;

export const defaultLocale: Locale = "en";

export function isLocale(name: string | undefined): name is Locale {
  return name !== undefined && Object.hasOwn(locales, name);
}

export function directionOf(locale: Locale): "ltr" | "rtl" {
  return /^(ar|fa|he|ur)$/.test(locale) ? "rtl" : "ltr";
}
