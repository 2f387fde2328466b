import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  escaped,
  type Framing,
  framingOf,
  unescaped,
  withoutUserData,
  withoutUserDataInConfig,
} from "./sei.ts";

const STOP = 0x80;
const heads = { avc: { message: [6], picture: [0x65] }, hevc: { message: [78, 1], picture: [38, 1] } };

const framings: Framing[] = (["avc", "hevc"] as const).flatMap((coding) =>
  [0, 1, 2, 3, 4].map((lengthBytes) => ({ coding, lengthBytes })),
);

function packet({ lengthBytes }: Framing, ...units: Buffer[]): Buffer {
  const framed = units.map((unit) => {
    const head = lengthBytes ? Buffer.alloc(lengthBytes) : Buffer.from([0, 0, 1]);
    if (lengthBytes) head.writeUIntBE(unit.length, 0, lengthBytes);
    return Buffer.concat([head, unit]);
  });
  return Buffer.concat(framed);
}

interface SeiMessage {
  type: number;
  data: Uint8Array;
}

function seiUnit(coding: Framing["coding"], ...messages: SeiMessage[]): Buffer {
  const number = (value: number) => [...Array<number>(Math.floor(value / 255)).fill(255), value % 255];
  const bytes = messages.flatMap(({ type, data }) => [...number(type), ...number(data.length), ...data]);
  return escaped(Buffer.from([...heads[coding].message, ...bytes, STOP]));
}

const place = { type: 5, data: Buffer.from("0123456789abcdefGPS=48.8577N") };
const captions = { type: 4, data: Buffer.from([0, 0, 0, 0, 1, 0, 0, 3, 181]) };
/** Mostly bytes that are significant in units and messages. */
const byte = fc.oneof(fc.constantFrom(0, 1, 2, 3, 4, 5, 6, 39, 78, 80, STOP, 255), fc.nat(255));
const anyBytes = fc.array(byte, { maxLength: 200 }).map((bytes) => Buffer.from(bytes));
const message = fc.record({ type: fc.oneof(fc.constant(5), fc.nat(600)), data: anyBytes });

describe.each(framings)("in $coding with lengths of $lengthBytes bytes", (framing) => {
  const { coding } = framing;
  const picture = Buffer.from([...heads[coding].picture, 7, 7, 7]);
  const quiet = (...units: Buffer[]) => withoutUserData(packet(framing, ...units), framing);

  test("removes user data and nothing else", () => {
    for (const [before, after] of [
      [[seiUnit(coding, place), picture], [picture]],
      [[picture, seiUnit(coding, place)], [picture]],
      [
        [seiUnit(coding, captions, place, captions), picture],
        [seiUnit(coding, captions, captions), picture],
      ],
      [
        [seiUnit(coding, place, captions), picture, seiUnit(coding, place)],
        [seiUnit(coding, captions), picture],
      ],
    ] as const)
      expect(quiet(...before)).toEqual(packet(framing, ...after));
  });

  test("returns a packet without user data unchanged", () => {
    for (const units of [[picture], [seiUnit(coding, captions), picture], []]) {
      const bytes = packet(framing, ...units);
      expect(withoutUserData(bytes, framing)).toBe(bytes);
    }
  });

  test("replaces a packet of only user data with filler", () => {
    const left = quiet(seiUnit(coding, place));
    expect(left.length).toBeGreaterThan(framing.lengthBytes);
    expect(withoutUserData(left, framing)).toBe(left);
  });

  test("removes a truncated message", () => {
    const whole = seiUnit(coding, place);
    for (const length of [6, 20, whole.length - 2])
      expect(quiet(whole.subarray(0, length), picture)).toEqual(packet(framing, picture));
  });

  test("removes only user data from any messages", () => {
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 4 }), (messages) => {
        const unit = seiUnit(coding, ...messages);
        fc.pre(framing.lengthBytes !== 1 || unit.length < 256);
        const kept = messages.filter(({ type }) => type !== 5);
        const after = kept.length > 0 ? [seiUnit(coding, ...kept), picture] : [picture];
        expect(quiet(unit, picture)).toEqual(packet(framing, ...after));
      }),
    );
  });

  test("terminates, never grows and is idempotent for any bytes", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const once = withoutUserData(bytes, framing);
        if (once.length > bytes.length) expect(once).toEqual(quiet(seiUnit(coding, place)));
        expect(withoutUserData(once, framing)).toBe(once);
      }),
      { numRuns: 2000 },
    );
  });
});

test("escaping and unescaping are inverse", () => {
  fc.assert(
    fc.property(anyBytes, (bytes) => {
      const unit = escaped(bytes);
      expect(unescaped(unit)).toEqual(bytes);
      for (const code of [0, 1, 2]) expect(unit.includes(Buffer.from([0, 0, code]))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test("excessively long messages are removed unread", () => {
  const framing = framingOf("avc", null);
  const long = seiUnit("avc", { type: 4, data: Buffer.alloc(2 ** 20, 7) });
  expect(withoutUserData(packet(framing, long, Buffer.from([0x65, 1])), framing)).toEqual(
    packet(framing, Buffer.from([0x65, 1])),
  );
});

describe("the configuration of HEVC", () => {
  const framing = { coding: "hevc", lengthBytes: 2 } as const;
  const list = (type: number, ...units: Buffer[]) =>
    Buffer.concat([Buffer.from([0x80 | type, 0, units.length]), packet(framing, ...units)]);
  const configuration = (...lists: Buffer[]) =>
    Buffer.concat([Buffer.alloc(22, 3), Buffer.from([lists.length]), ...lists]);
  const parameters = list(33, Buffer.from([66, 1, 1]), Buffer.from([66, 1, 2]));

  test("loses its user data too", () => {
    const talkative = configuration(
      parameters,
      list(39, seiUnit("hevc", place), seiUnit("hevc", captions, place)),
      list(40, seiUnit("hevc", place)),
    );
    expect(withoutUserDataInConfig("hevc", talkative)).toEqual(
      configuration(parameters, list(39, seiUnit("hevc", captions))),
    );
    expect(framingOf("hevc", talkative)).toEqual({ coding: "hevc", lengthBytes: 4 });
  });

  test("stays the same without user data, and is rejected if truncated", () => {
    const silent = configuration(parameters, list(39, seiUnit("hevc", captions)));
    expect(withoutUserDataInConfig("hevc", silent)).toEqual(silent);
    for (let length = 0; length < silent.length; length += 1)
      expect(() => withoutUserDataInConfig("hevc", silent.subarray(0, length))).toThrow(RangeError);
  });
});
