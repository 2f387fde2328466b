import { useText } from "../i18n/use-text.tsx";
import { useAlive } from "./alive.ts";

const steps = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["week", 604_800],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago something was, in the words of a language. */
export function ago(time: number, now: number, locale: string): string {
  const seconds = (time - now) / 1000;
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "narrow" });
  for (const [unit, size] of steps)
    if (Math.abs(seconds) >= size) return format.format(Math.trunc(seconds / size), unit);
  return format.format(0, "second");
}

/** A moment, told from now; exactly to who points at it. The service doesn't know the reader's clock, and tells the day. */
export function Time({ at, className = "" }: { at: string; className?: string }) {
  const { locale } = useText();
  const drawnByService = !useAlive();
  const time = Date.parse(at);
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const exact = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeStyle: "short" });
  return (
    <time
      dateTime={at}
      className={`whitespace-nowrap ${className}`}
      title={drawnByService ? undefined : exact.format(time)}
    >
      {drawnByService ? day.format(time) : ago(time, Date.now(), locale)}
    </time>
  );
}

/** A number as short as it can be told: 1.2K. */
export function Count({ value }: { value: number }) {
  const { locale } = useText();
  return (
    <>{new Intl.NumberFormat(locale, { notation: "compact", maximumFractionDigits: 1 }).format(value)}</>
  );
}
