import Negotiator from "negotiator";
import { defaultLocale, isLocale, type Locale } from "../shared/locales.ts";

/** Characters of the header that are examined: browsers send fewer, and thousands would take milliseconds before a request is even admitted. */
const LONGEST = 1000;

/** The first of the reader's languages that the app has, from the Accept-Language header. Regions don't matter. */
export function preferredLocale(accepted: string): Locale {
  const languages = new Negotiator({
    headers: { "accept-language": accepted.slice(0, LONGEST) },
  }).languages();
  return languages.map((range) => range.split("-")[0]?.toLowerCase()).find(isLocale) ?? defaultLocale;
}
