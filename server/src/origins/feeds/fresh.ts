const periods: Record<string, number> = {
  hourly: 3600,
  daily: 86_400,
  weekly: 604_800,
  monthly: 2_592_000,
  yearly: 31_536_000,
};

/** Nobody is left alone for longer, whatever it says: most of these hints were never thought about. */
const LONGEST = 86_400;

/** Seconds for which a feed says that nothing will be new, by RSS's `ttl` (minutes) or the syndication module. */
export function freshByHints(
  ttl: number | undefined,
  sy: { updatePeriod?: string; updateFrequency?: number } | undefined,
): number | null {
  const period = periods[sy?.updatePeriod?.toLowerCase() ?? ""] ?? 0;
  const seconds = Math.max((ttl ?? 0) * 60, period / Math.max(sy?.updateFrequency ?? 1, 1));
  return seconds > 0 ? Math.min(Math.round(seconds), LONGEST) : null;
}
