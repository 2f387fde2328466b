import fc from "fast-check";
import { expect, test } from "vitest";
import { intervals, nextInterval, pauseAfter, waitAfter } from "./schedule.ts";

const interval = fc.integer({ min: intervals.shortest, max: intervals.longest });
const chance = fc.double({ min: 0, max: 1, noNaN: true });
const visit = fc
  .tuple(fc.nat(200), fc.nat(200))
  .map(([a, b]) => ({ seen: Math.max(a, b), fresh: Math.min(a, b) }));

test("an interval stays within its bounds, and shrinks only for new items", () => {
  fc.assert(
    fc.property(interval, visit, (before, { seen, fresh }) => {
      const after = nextInterval(before, { seen, fresh });
      expect(after).toBeGreaterThanOrEqual(intervals.shortest);
      expect(after).toBeLessThanOrEqual(intervals.longest);
      if (fresh > 0) expect(after).toBeLessThanOrEqual(before);
      else expect(after).toBeGreaterThanOrEqual(before);
    }),
  );
});

test("the wait respects the interval and the origin's hint, up to a maximum", () => {
  fc.assert(
    fc.property(interval, fc.option(fc.nat(10 ** 9)), chance, (before, hint, random) => {
      const wait = waitAfter(before, hint, random);
      const wanted = Math.min(Math.max(before, (hint ?? 0) * 1000), intervals.longest);
      expect(wait).toBeGreaterThanOrEqual(Math.floor(wanted * 0.9));
      expect(wait).toBeLessThanOrEqual(Math.ceil(intervals.longest * 1.1));
    }),
  );
});

test("pauses after failures grow and respect Retry-After, up to a maximum", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 40 }),
      fc.option(fc.nat(10 ** 9)),
      chance,
      (failures, after, random) => {
        const pause = pauseAfter(failures, after, random);
        expect(pause).toBeLessThanOrEqual(intervals.longest * 1.25);
        expect(pause).toBeGreaterThanOrEqual(Math.min((after ?? 0) * 1000, intervals.longest));
        expect(pauseAfter(failures + 2, after, random)).toBeGreaterThanOrEqual(pause);
      },
    ),
  );
});
