/**
 * How long to wait after so many failures in a row: `first` after the first, then `factor` times as long each time, up to
 * `longest`. In milliseconds.
 */
export function backoff(
  failures: number,
  { first, factor = 2, longest }: { first: number; factor?: number; longest: number },
): number {
  return Math.min(longest, first * factor ** (failures - 1));
}
