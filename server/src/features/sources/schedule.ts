const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** How often a source is asked, in milliseconds: at most, at least, and one of which nothing is known yet. */
export const intervals = { shortest: 5 * MINUTE, longest: 24 * HOUR, first: 15 * MINUTE } as const;

/** So many failures in a row, over about four days, and a source is set aside. */
export const FAILURES = 10;

/** The first pause after a failure; each that follows is twice as long. */
const PAUSE = 10 * MINUTE;

export interface Visit {
  /** How many items were there, and how many of them were new. */
  seen: number;
  fresh: number;
}

/** The interval that follows a good visit: shorter where something was new, and much so where all was. */
export function nextInterval(interval: number, { seen, fresh }: Visit): number {
  const factor = fresh === 0 ? 1.5 : fresh < seen ? 0.5 : 0.25;
  return clamp((interval || intervals.first) * factor);
}

/** How long to wait in fact: never less than the origin asks for, within reason, and not as long as others do. */
export function waitAfter(interval: number, hintSeconds: number | null, random = Math.random()): number {
  return Math.round(clamp(Math.max(interval, (hintSeconds ?? 0) * 1000)) * (0.9 + 0.2 * random));
}

/** How long to wait after so many failures in a row. */
export function pauseAfter(
  failures: number,
  retryAfterSeconds: number | null,
  random = Math.random(),
): number {
  const doubled = Math.min(PAUSE * 2 ** (failures - 1), intervals.longest);
  const asked = Math.min((retryAfterSeconds ?? 0) * 1000, intervals.longest);
  return Math.round(Math.max(doubled * (0.75 + 0.5 * random), asked));
}

function clamp(interval: number): number {
  return Math.round(Math.min(Math.max(interval, intervals.shortest), intervals.longest));
}
