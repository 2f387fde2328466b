import { DAY } from "@tandem/contract/durations";

/** A clock that only advances when told to. */
export function stoppedClock(start = Date.UTC(2026, 0, 15, 12)) {
  let time = start;
  return {
    now: () => time,
    pass(ms: number) {
      time += ms;
    },
    passDays(days: number) {
      time += days * DAY;
    },
  };
}
