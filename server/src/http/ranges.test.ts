import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rangeOf } from "./ranges.ts";

describe("a range", () => {
  test("from one byte to another, both included, ends where the file does", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), fc.nat(1000), (first, more, bytes) => {
        const expected =
          first >= bytes ? "unsatisfiable" : { first, last: Math.min(first + more, bytes - 1) };
        expect(rangeOf(`bytes=${first}-${first + more}`, bytes)).toEqual(expected);
      }),
    );
  });

  test("without an end goes to the file's", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (first, bytes) => {
        expect(rangeOf(`bytes=${first}-`, bytes)).toEqual(
          first < bytes ? { first, last: bytes - 1 } : "unsatisfiable",
        );
      }),
    );
  });

  test("without a beginning is the file's last bytes, or all of them", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(1000), (count, bytes) => {
        const none = count === 0 || bytes === 0;
        expect(rangeOf(`bytes=-${count}`, bytes)).toEqual(
          none ? "unsatisfiable" : { first: Math.max(0, bytes - count), last: bytes - 1 },
        );
      }),
    );
  });

  test("whatever the header says, lies within the file", () => {
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes ?= ?\d{0,30} ?- ?\d{0,30}$/));
    fc.assert(
      fc.property(header, fc.nat(10_000), (said, bytes) => {
        const asked = rangeOf(said, bytes);
        if (asked === null || asked === "unsatisfiable") return;
        expect(asked.first).toBeGreaterThanOrEqual(0);
        expect(asked.last).toBeGreaterThanOrEqual(asked.first);
        expect(asked.last).toBeLessThan(bytes);
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
  ])("that says %j is none", (header) => {
    expect(rangeOf(header, 100)).toBeNull();
  });
});
