import { useQueryClient } from "@tanstack/react-query";
import { serverTime } from "../data/server-time.ts";
import { useText } from "../i18n/use-text.tsx";
import { useHydrated } from "./use-hydrated.ts";

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** Formats are dear to make, and there are as many as languages. */
const formats = new Map<string, ReturnType<typeof formatsOf>>();

function formatsIn(locale: string) {
  const made = formats.get(locale) ?? formatsOf(locale);
  formats.set(locale, made);
  return made;
}

function formatsOf(locale: string) {
  return {
    exact: new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" }),
    // As narrow as it gets reads well in English; other languages cut their words so far that they are hard to tell.
    ago: new Intl.RelativeTimeFormat(locale, {
      numeric: "auto",
      style: locale === "en" ? "narrow" : "short",
    }),
    count: new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }),
  };
}

/** How long ago something was, in the words of a language. */
export function ago(time: number, now: number, locale: string): string {
  const seconds = (time - now) / 1000;
  const format = formatsIn(locale).ago;
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return format.format(0, "second");
}

/**
 * A moment, told from now; exactly to who points at it. The service tells it from when it drew the page,
 * and leaves the reader's own zone to their browser.
 */
export function Time({ at, className = "" }: { at: string; className?: string }) {
  const { locale } = useText();
  const alive = useHydrated();
  const queryClient = useQueryClient();
  const now = alive ? Date.now() : serverTime(queryClient);
  const time = Date.parse(at);
  const { exact } = formatsIn(locale);
  return (
    <time
      dateTime={at}
      className={`whitespace-nowrap ${className}`}
      title={alive ? exact.format(time) : undefined}
    >
      {ago(time, now, locale)}
    </time>
  );
}

/** A number as short as it can be told: 1.2K. */
export function Count({ value }: { value: number }) {
  const { locale } = useText();
  return <>{formatsIn(locale).count.format(value)}</>;
}
