import { DAY, MINUTE } from "@tandem/contract/durations";
import { backoff } from "../../jobs/backoff.ts";

/** Milliseconds between visits to a source: the shortest, the longest and the first interval. */
export const intervals = { shortest: 5 * MINUTE, longest: DAY, first: 15 * MINUTE } as const;

/** A source is set aside after so many failures in a row, over about four days. */
export const FAILURES = 10;

/** The first pause after a failure; each that follows is twice as long. */
const PAUSE = 10 * MINUTE;

/** Hubs can make this server visit a source this often. */
export const PUSH_INTERVAL = MINUTE;

export interface Visit {
  /** The number of items, and of new ones. */
  seen: number;
  fresh: number;
  /** Whether a hub announced them. Then they say nothing about what is missed between visits. */
  wasAnnounced?: boolean;
}

/** The interval after a successful visit: shorter if something was new, much shorter if everything was. */
export function nextInterval(interval: number, { seen, fresh, wasAnnounced = false }: Visit): number {
  const factor = fresh === 0 || wasAnnounced ? 1.5 : fresh < seen ? 0.5 : 0.25;
  return clamp((interval || intervals.first) * factor);
}

/** The time until the next visit: at least what the origin asks for, within limits, with jitter. */
export function waitAfter(interval: number, hintSeconds: number | null, random = Math.random()): number {
  return Math.round(clamp(Math.max(interval, (hintSeconds ?? 0) * 1000)) * (0.9 + 0.2 * random));
}

/** The time until the next visit after this many failures in a row. */
export function pauseAfter(
  failures: number,
  retryAfterSeconds: number | null,
  random = Math.random(),
): number {
  const doubled = backoff(failures, { first: PAUSE, longest: intervals.longest });
  const requested = Math.min((retryAfterSeconds ?? 0) * 1000, intervals.longest);
  return Math.round(Math.max(doubled * (0.75 + 0.5 * random), requested));
}

function clamp(interval: number): number {
  return Math.round(Math.min(Math.max(interval, intervals.shortest), intervals.longest));
}
