import { useQueryClient } from "@tanstack/react-query";
import { serverTime } from "../data/server-time.ts";
import { useText } from "../i18n/use-text.tsx";
import { useHydrated } from "./use-hydrated.ts";

/** In seconds. */
const [MINUTE, WEEK, MONTH] = [60, 604_800, 2_592_000];

const units = [
  ["year", 31_536_000],
  ["month", MONTH],
  ["week", WEEK],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", MINUTE],
] as const;

/** Formatters are expensive to create, so there is one set per language. */
const formats = new Map<string, ReturnType<typeof createFormats>>();

function formatsIn(locale: string) {
  const format = formats.get(locale) ?? createFormats(locale);
  formats.set(locale, format);
  return format;
}

function createFormats(locale: string) {
  // The narrow style reads well in English; in other languages its abbreviations are hard to read. Arabic doesn't abbreviate, and the
  // short style says "in 9 months" of what was 9 months ago (CLDR 48).
  const style = ["en", "ar"].includes(locale) ? "narrow" : "short";
  return {
    exact: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }),
    relativeTime: new Intl.RelativeTimeFormat(locale, { numeric: "auto", style }),
    /** For weeks and longer: "1w ago" instead of "last wk.". */
    numericRelativeTime: new Intl.RelativeTimeFormat(locale, { numeric: "always", style }),
    /** For sentences. */
    longRelativeTime: new Intl.RelativeTimeFormat(locale, { numeric: "auto" }),
    count: new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
  };
}

/** The time since `time` in words, such as "5 min. ago", or "5 minutes ago" for sentences. */
export function relativeTime(
  time: number,
  now: number,
  locale: string,
  length: "short" | "long" = "short",
): string {
  const seconds = (time - now) / 1000;
  const isWeeks = Math.abs(seconds) >= WEEK;
  const format =
    formatsIn(locale)[
      length === "long" ? "longRelativeTime" : isWeeks ? "numericRelativeTime" : "relativeTime"
    ];
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return format.format(0, "second");
}

/** Whether `ageText` is some words, such as "10mo ago". */
export const isLongAge = (time: number, now: number): boolean => (now - time) / 1000 >= MONTH;

/** How long ago `time` was, such as "5m". From a month on, whose abbreviation is that of a minute, the same as `relativeTime`. */
export function ageText(time: number, now: number, locale: string): string {
  const age = Math.max(0, now - time) / 1000;
  const [unit, size] = units.find(([, seconds]) => age >= seconds) ?? ["second", 1];
  if (age < MINUTE || isLongAge(time, now)) return relativeTime(time, now, locale);
  return ageFormat(locale, unit).format(Math.trunc(age / size));
}

const ageFormats = new Map<string, Intl.NumberFormat>();

function ageFormat(locale: string, unit: string): Intl.NumberFormat {
  const key = `${locale} ${unit}`;
  const unitDisplay = locale === "en" ? "narrow" : "short";
  const format = ageFormats.get(key) ?? new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay });
  ageFormats.set(key, format);
  return format;
}

/** A time in words. The server counts from the moment of rendering. */
export function useRelativeTime(at: string, length?: "short" | "long"): string {
  const { locale } = useText();
  return relativeTime(Date.parse(at), useNow(), locale, length);
}

/** The present; until hydration, when the server rendered the page. */
export function useNow(): number {
  const isHydrated = useHydrated();
  const queryClient = useQueryClient();
  return isHydrated ? Date.now() : serverTime(queryClient);
}

/**
 * A relative time, with the exact one as its tooltip. The server leaves the tooltip to the browser, which knows the reader's time zone.
 */
export function Time({
  at,
  isAge = false,
  className = "",
}: {
  at: string;
  /** Whether to show only how long ago it was, where "ago" goes without saying. */
  isAge?: boolean;
  className?: string;
}) {
  const { locale } = useText();
  const isHydrated = useHydrated();
  const words = (isAge ? ageText : relativeTime)(Date.parse(at), useNow(), locale);
  const { exact } = formatsIn(locale);
  return (
    <time
      dateTime={at}
      className={`whitespace-nowrap ${className}`}
      title={isHydrated ? exact.format(Date.parse(at)) : undefined}
    >
      {words}
    </time>
  );
}

/**
 * A time to come, such as a deadline or when a suspension ends, as its date and time. Rendered in UTC on the server, which doesn't
 * know the reader's time zone.
 */
export function Deadline({ at }: { at: string }) {
  const { locale } = useText();
  return (
    <time dateTime={at} className="whitespace-nowrap">
      {deadlineText(at, locale, useHydrated() ? undefined : "UTC")}
    </time>
  );
}

export function deadlineText(at: string, locale: string, timeZone?: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone });
  return format.format(Date.parse(at));
}

/** A number in compact form, such as 1.2K. */
export function Count({ value }: { value: number }) {
  const { locale } = useText();
  return <>{compactNumber(value, locale)}</>;
}

export function compactNumber(value: number, locale: string): string {
  return formatsIn(locale).count.format(value);
}
