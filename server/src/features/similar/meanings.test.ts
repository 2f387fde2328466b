import fc from "fast-check";
import { expect, test } from "vitest";
import { asMeaning, DIMENSIONS, fromText, MeaningIndex, toText } from "./meanings.ts";

const MOST = 5;
const meaning = fc
  .array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((vector) => asMeaning(vector.map((value) => value / Math.hypot(...vector))))
  .filter((one) => one.some((value) => value !== 0));

test("an index has the newest posts with their latest meaning, and finds the closest ones", () => {
  const puts = fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), meaning), { maxLength: 12 });
  fc.assert(
    fc.property(puts, meaning, fc.integer({ min: 1, max: 9 }), (put, to, count) => {
      const index = new MeaningIndex(MOST);
      const model = new Map<number, Int8Array>();
      for (const [id, one] of put) {
        index.put(id, one);
        model.set(id, one);
        if (model.size > MOST) model.delete(Math.min(...model.keys()));
      }
      const expected = [...model]
        .map(([id, one]) => ({
          id,
          similarity: one.reduce((sum, value, i) => sum + value * (to[i] ?? 0), 0) / 127 ** 2,
        }))
        .sort((a, b) => b.similarity - a.similarity || b.id - a.id)
        .slice(0, count);
      expect(index.nearest(to, count)).toEqual(expected);
      for (let id = 1; id < 10; id++) expect(index.of(id)).toEqual(model.get(id) ?? null);
    }),
    { numRuns: 50 },
  );
});

test("a meaning is stored without loss", () => {
  fc.assert(
    fc.property(meaning, (one) => {
      expect(fromText(toText(one))).toEqual(one);
    }),
    { numRuns: 20 },
  );
});
