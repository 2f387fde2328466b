const periods: Record<string, number> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

/** The longest interval that is honored, because most feeds set these hints carelessly. */
const MAX_LENGTH = 86_400;

/** A feed's declared update interval in seconds, from RSS's `ttl` (minutes) or the syndication module. */
export function maxAgeByHints(
  ttl: number | undefined,
  sy: { updatePeriod?: string; updateFrequency?: number } | undefined,
): number | null {
  const period = periods[sy?.updatePeriod?.toLowerCase() ?? ""] ?? 0;
  const seconds = Math.max((ttl ?? 0) * 60, period / Math.max(sy?.updateFrequency ?? 1, 1));
  return seconds > 0 ? Math.min(Math.round(seconds), MAX_LENGTH) : null;
}
