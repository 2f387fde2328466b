import Negotiator from "negotiator";
import { defaultLocale, isLocale, type Locale } from "../shared/locales.ts";

/** The first of the reader's languages that the app has, from the Accept-Language header. Regions don't matter. */
export function preferredLocale(accepted: string): Locale {
  const languages = new Negotiator({ headers: { "accept-language": accepted } }).languages();
  return languages.map((range) => range.split("-")[0]?.toLowerCase()).find(isLocale) ?? defaultLocale;
}
