/** The app's languages, by their own names. */
export const locales = { en: "English", de: "Deutsch" } as const;
export type Locale = keyof typeof locales;

export const defaultLocale: Locale = "en";

export function isLocale(name: string | undefined): name is Locale {
  return name !== undefined && Object.hasOwn(locales, name);
}

/**
 * The reader's preferred language among those that the app has, from the Accept-Language header (RFC 9110).
 */
export function preferredLocale(accepted: string): Locale {
  const requested = accepted
    .split(",")
    .map((part) => {
      const [range = "", weight = "q=1"] = part.trim().split(/\s*;\s*/);
      return { name: range.toLowerCase().split("-")[0], weight: Number(weight.slice(2)) || 0 };
    })
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return requested.map(({ name }) => name).find(isLocale) ?? defaultLocale;
}

export function directionOf(locale: Locale): "ltr" | "rtl" {
  return /^(ar|fa|he|ur)$/.test(locale) ? "rtl" : "ltr";
}
