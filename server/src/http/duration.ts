import { SECONDS_PER_DAY, SECONDS_PER_HOUR, SECONDS_PER_MINUTE } from "@tandem/contract/durations";

/**
 * A whole number of seconds in words, in a readable unit: `45 seconds`, `15 minutes (900 s)`. Rounded up, so that a client
 * that waits this long doesn't retry too early.
 */
export function inWords(seconds: number): string {
  if (seconds < 2 * SECONDS_PER_MINUTE) return counted(seconds, "second");
  const [length, unit] =
    seconds < 2 * SECONDS_PER_HOUR ? [SECONDS_PER_MINUTE, "minute"] : [SECONDS_PER_HOUR, "hour"];
  return `${counted(Math.ceil(seconds / length), unit)} (${seconds} s)`;
}

/** A quota's window in words: `minute`, `day`, `45 seconds`. */
export function windowInWords(seconds: number): string {
  return windowNames[seconds] ?? inWords(seconds);
}

const windowNames: Record<number, string> = {
  [SECONDS_PER_MINUTE]: "minute",
  [SECONDS_PER_HOUR]: "hour",
  [SECONDS_PER_DAY]: "day",
};

/** `1 day`, `2 days`; `1 person`, `2 people`. */
export const counted = (count: number, unit: string, units = `${unit}s`): string =>
  `${count} ${count === 1 ? unit : units}`;
