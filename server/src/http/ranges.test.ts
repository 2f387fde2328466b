import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rangeOf } from "./ranges.ts";

describe("a range", () => {
  test("with both ends is inclusive and ends with the file", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), (first, more, bytes) => {
        const expected =
          first >= bytes ? "unsatisfiable" : { first, last: Math.min(first + more, bytes - 1) };
        expect(rangeOf(`bytes=${first}-${first + more}`, bytes)).toEqual(expected);
      }),
    );
  });

  test("without an end reaches to the file's end", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (first, bytes) => {
        expect(rangeOf(`bytes=${first}-`, bytes)).toEqual(
          first < bytes ? { first, last: bytes - 1 } : "unsatisfiable",
        );
      }),
    );
  });

  test("without a start is the file's last bytes, or all of them", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (count, bytes) => {
        const none = count === 0 || bytes === 0;
        expect(rangeOf(`bytes=-${count}`, bytes)).toEqual(
          none ? "unsatisfiable" : { first: Math.max(0, bytes - count), last: bytes - 1 },
        );
      }),
    );
  });

  test("lies within the file for any header", () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes ?= ?\d{0,30} ?- ?\d{0,30}$/));
    fc.assert(
      fc.property(header, fc.nat(10_000), (value, bytes) => {
        const range = rangeOf(value, bytes);
        if (range === null || range === "unsatisfiable") return;
        expect(range.first).toBeGreaterThanOrEqual(0);
        expect(range.last).toBeGreaterThanOrEqual(range.first);
        expect(range.last).toBeLessThan(bytes);
      }),
    );
  });

  test.each([
    "",
    "bytes",
    "bytes=",
    "bytes=-",
    "bytes=5-4",
    "bytes=0-1,3-4",
    "bytes=a-b",
    "items=0-1",
    "bytes=0-1-2",
    "bytes=1.5-2",
    "bytes=--1",
  ])("of %j is ignored", (header) => {
    expect(rangeOf(header, 100)).toBeNull();
  });
});
