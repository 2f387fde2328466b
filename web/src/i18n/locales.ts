/** The languages of the app, by what they call themselves. The first is every text's own. */
export const locales = { en: "English", de: "Deutsch" } as const;
export type Locale = keyof typeof locales;

export const defaultLocale: Locale = "en";

export function isLocale(name: string | undefined): name is Locale {
  return name !== undefined && Object.hasOwn(locales, name);
}

/** The language that a reader asks for first, of those that there are (RFC 9110, Accept-Language). */
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

/** Which way a language is written. */
export function directionOf(locale: Locale): "ltr" | "rtl" {
  return /^(ar|fa|he|ur)$/.test(locale) ? "rtl" : "ltr";
}
