import type { TransparencyDay } from "@tandem/contract/transparency";
import type { AddressValues } from "../../shared/page.ts";

/** The numbers of days to choose from, and how many of them one bar spans. */
export const periods = [
  { days: 30, perBar: 1 },
  { days: 90, perBar: 7 },
  { days: 365, perBar: 28 },
] as const;

const [shortest] = periods;

/** The number of days in the address; the shortest period if it isn't one to choose from. */
export function daysFrom({ days }: AddressValues): number {
  return (periods.find((period) => String(period.days) === days) ?? shortest).days;
}

/** Groups days so that each period has few enough bars to read. The last group ends today; the first may be shorter. */
export function barsOf(days: readonly TransparencyDay[]): TransparencyDay[][] {
  const { perBar } = periods.find((period) => period.days === days.length) ?? shortest;
  const bars: TransparencyDay[][] = [];
  for (let end = days.length; end > 0; end -= perBar)
    bars.unshift(days.slice(Math.max(0, end - perBar), end));
  return bars;
}
