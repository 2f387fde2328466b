import Negotiator from "negotiator";
import { defaultLocale, isLocale, type Locale, locales } from "./locales.ts";

/** The reader's preferred language among those that the app has, from the Accept-Language header. */
export function preferredLocale(accepted: string): Locale {
  const negotiator = new Negotiator({ headers: { "accept-language": accepted } });
  const name = negotiator.language(Object.keys(locales));
  return isLocale(name) ? name : defaultLocale;
}
