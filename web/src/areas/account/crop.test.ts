import fc from "fast-check";
import { expect, test } from "vitest";
import { clampCrop, fullCrop, MAX_ZOOM, zoomLevel } from "./crop.ts";

const length = fc.integer({ min: 1, max: 10_000 });
const wish = fc.double({ min: -1e6, max: 1e6, noNaN: true });

test("keeps the crop inside the picture and within the maximum zoom, whatever is requested", () => {
  fc.assert(
    fc.property(length, length, wish, wish, wish, (width, height, x, y, side) => {
      const size = { width, height };
      const crop = clampCrop({ x, y, side }, size);
      const slack = 1e-6;
      expect(crop.x - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.x + crop.side / 2).toBeLessThanOrEqual(width + slack);
      expect(crop.y - crop.side / 2).toBeGreaterThanOrEqual(-slack);
      expect(crop.y + crop.side / 2).toBeLessThanOrEqual(height + slack);
      expect(zoomLevel(crop, size)).toBeGreaterThanOrEqual(1);
      expect(zoomLevel(crop, size)).toBeLessThanOrEqual(MAX_ZOOM);
      expect(clampCrop(fullCrop(size), size)).toEqual(fullCrop(size));
    }),
  );
});
