import { SECONDS_PER_DAY, SECONDS_PER_HOUR } from "@tandem/contract/durations";

const periods = new Map(
  Object.entries({
    hourly: SECONDS_PER_HOUR,
    daily: SECONDS_PER_DAY,
    weekly: 7 * SECONDS_PER_DAY,
    monthly: 30 * SECONDS_PER_DAY,
    yearly: 365 * SECONDS_PER_DAY,
  }),
);

/** The longest interval that is honored, because most feeds set these hints carelessly. */
const MAX_LENGTH = SECONDS_PER_DAY;

/** A feed's declared update interval in seconds, from RSS's `ttl` (minutes) or the syndication module. */
export function maxAgeByHints(
  ttl: number | undefined,
  sy: { updatePeriod?: string; updateFrequency?: number } | undefined,
): number | null {
  const period = periods.get(sy?.updatePeriod?.toLowerCase() ?? "") ?? 0;
  const seconds = Math.max((ttl ?? 0) * 60, period / Math.max(sy?.updateFrequency ?? 1, 1));
  return seconds > 0 ? Math.min(Math.round(seconds), MAX_LENGTH) : null;
}
