import fc from "fast-check";
import { expect, test } from "vitest";
import { CLOSEST, wholeOf, within, zoomOf } from "./crop.ts";

const length = fc.integer({ min: 1, max: 10_000 });
const wish = fc.double({ min: -1e6, max: 1e6, noNaN: true });

test("keeps the crop inside the picture and within the maximum zoom, whatever is requested", () => {
  fc.assert(
    fc.property(length, length, wish, wish, wish, (width, height, x, y, side) => {
      const size = { width, height };
      const crop = within({ x, y, side }, size);
      const slack = 1e-6;
      expect(crop.x - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.x + crop.side / 2).toBeLessThanOrEqual(width + slack);
      expect(crop.y - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.y + crop.side / 2).toBeLessThanOrEqual(height + slack);
      expect(zoomOf(crop, size)).toBeGreaterThanOrEqual(1);
      expect(zoomOf(crop, size)).toBeLessThanOrEqual(CLOSEST);
      expect(within(wholeOf(size), size)).toEqual(wholeOf(size));
    }),
  );
});
