const MINUTE = 60;
const HOUR = 3600;

/**
 * A whole number of seconds in words, in the unit that people would use: `45 seconds`, `15 minutes (900 s)`. Rounded up, so
 * that a client that waits as long doesn't come too early.
 */
export function inWords(seconds: number): string {
  if (seconds < 2 * MINUTE) return counted(seconds, "second");
  const [length, unit] = seconds < 2 * HOUR ? [MINUTE, "minute"] : [HOUR, "hour"];
  return `${counted(Math.ceil(seconds / length), unit)} (${seconds} s)`;
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
