/**
 * What encoders say between a video's pictures (supplemental enhancement information, of H.264 and HEVC alike). A part
 * of it is for users' own data: cameras keep there where and with what a video was taken. No player shows it.
 */

type Coding = "avc" | "hevc";

/** How the units of a track's packets are told apart: by their length in so many bytes, or, if 0, by start codes. */
export interface Framing {
  coding: Coding;
  lengthBytes: number;
}

interface Units {
  headBytes: number;
  typeOf: (first: number) => number;
  /** Units that hold such messages. */
  messages: number[];
  /** One that says nothing. */
  filler: number[];
  /** Where the track's configuration tells how many bytes a length has. */
  lengthAt: number;
}

const units: Record<Coding, Units> = {
  avc: {
    headBytes: 1,
    typeOf: (first) => first & 31,
    messages: [6],
    filler: [12, 0x80],
    lengthAt: 4,
  },
  hevc: {
    headBytes: 2,
    typeOf: (first) => (first >> 1) & 63,
    messages: [39, 40],
    filler: [76, 1, 0x80],
    lengthAt: 21,
  },
};

/** Without a configuration units begin with start codes. */
export function framingOf(coding: Coding, configuration: Buffer | null): Framing {
  return {
    coding,
    lengthBytes: configuration ? (configuration.readUInt8(units[coding].lengthAt) & 3) + 1 : 0,
  };
}

/**
 * The packet without what it says to users; the same bytes if it says nothing. It never grows, but for one that said
 * nothing else: that holds one unit without a meaning then, for a packet can't be empty. Messages that can't be read go
 * too; whatever isn't messages stays as it is, be it well-formed or not.
 */
export function withoutUserData(packet: Uint8Array, framing: Framing): Uint8Array {
  const bytes = Buffer.from(packet.buffer, packet.byteOffset, packet.byteLength);
  let [out, length, read] = [null as Buffer | null, 0, 0];
  const copy = (from: Buffer) => {
    out ??= Buffer.allocUnsafe(bytes.length);
    length += from.copy(out, length);
  };
  for (const { at, body, end } of framing.lengthBytes
    ? byLength(bytes, framing.lengthBytes)
    : byStart(bytes)) {
    const unit = bytes.subarray(body, end);
    const quiet = quietened(unit, framing.coding);
    if (quiet === unit) continue;
    copy(bytes.subarray(read, at));
    if (quiet) copy(framed(quiet, framing));
    read = end;
  }
  if (read === 0) return packet;
  copy(bytes.subarray(read));
  return out && length > 0
    ? out.subarray(0, length)
    : framed(Buffer.from(units[framing.coding].filler), framing);
}

interface Unit {
  /** Where its length or its start code begins, and where itself. */
  at: number;
  body: number;
  end: number;
}

/** One that says it is longer than the packet ends with that. */
function* byLength(packet: Buffer, lengthBytes: number): Generator<Unit> {
  for (let at = 0; at + lengthBytes <= packet.length; ) {
    const body = at + lengthBytes;
    const end = Math.min(body + packet.readUIntBE(at, lengthBytes), packet.length);
    yield { at, body, end };
    at = end;
  }
}

const START = Buffer.from([0, 0, 1]);

function* byStart(packet: Buffer): Generator<Unit> {
  for (let at = packet.indexOf(START); at >= 0; ) {
    const body = at + START.length;
    const next = packet.indexOf(START, body);
    yield { at, body, end: next < 0 ? packet.length : next };
    at = next;
  }
}

function framed(unit: Buffer, { lengthBytes }: Framing): Buffer {
  if (lengthBytes === 0) return Buffer.concat([START, unit]);
  const head = Buffer.alloc(lengthBytes);
  head.writeUIntBE(unit.length, 0, lengthBytes);
  return Buffer.concat([head, unit]);
}

/** Bytes of a unit that holds messages: they are small, and what is larger isn't even read. */
const MOST = 2 ** 20;

const USER_DATA = 5;
const STOP = Buffer.from([0x80]);

/** The same unit if it says nothing to users, one that says only what else it said, or null. */
function quietened(unit: Buffer, coding: Coding): Buffer | null {
  const { headBytes, typeOf, messages: types } = units[coding];
  if (!unit.length || !types.includes(typeOf(unit.readUInt8(0)))) return unit;
  const plain = unit.length > MOST ? null : unescaped(unit);
  const messages = plain && messagesOf(plain.subarray(headBytes));
  const kept = messages?.filter(({ type }) => type !== USER_DATA).map(({ bytes }) => bytes) ?? [];
  if (kept.length === messages?.length) return unit;
  if (!plain || kept.length === 0) return null;
  const quiet = escaped(Buffer.concat([plain.subarray(0, headBytes), ...kept, STOP]));
  // What grows while something is taken out of it wasn't written by the rules.
  return quiet.length < unit.length ? quiet : null;
}

interface Message {
  type: number;
  /** With its type and its length. */
  bytes: Buffer;
}

/** Null if they aren't whole. */
function messagesOf(body: Buffer): Message[] | null {
  const end = endOf(body);
  const messages: Message[] = [];
  for (let at = 0; at < end; ) {
    const type = numberAt(body, at);
    const size = numberAt(body, type.end);
    const next = size.end + size.value;
    if (next > end) return null;
    messages.push({ type: type.value, bytes: body.subarray(at, next) });
    at = next;
  }
  return messages;
}

/** Behind the last message are a bit that is set, and zeros. */
function endOf(body: Buffer): number {
  let end = body.length;
  while (end > 0 && body[end - 1] === 0) end -= 1;
  return body[end - 1] === STOP[0] ? end - 1 : end;
}

/** Bytes of 255, and a last one that is less, add up to it; one that breaks off ends behind the last byte. */
function numberAt(body: Buffer, from: number): { value: number; end: number } {
  let [at, value] = [from, 0];
  while (body[at] === 255) {
    value += 255;
    at += 1;
  }
  return { value: value + (body[at] ?? 0), end: at + 1 };
}

/** Units have a 3 behind two zeros wherever what follows could be taken for a start code. */
export function unescaped(unit: Buffer): Buffer {
  const plain = Buffer.allocUnsafe(unit.length);
  let [length, zeros] = [0, 0];
  for (const byte of unit) {
    const isEscape = zeros >= 2 && byte === 3;
    if (!isEscape) plain[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return plain.subarray(0, length);
}

export function escaped(plain: Buffer): Buffer {
  // At most every third byte is one that was put in.
  const unit = Buffer.allocUnsafe(Math.ceil(plain.length * 1.5));
  let [length, zeros] = [0, 0];
  for (const byte of plain) {
    if (zeros === 2 && byte <= 3) {
      unit[length++] = 3;
      zeros = 0;
    }
    unit[length++] = byte;
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return unit.subarray(0, length);
}

/** Where the lists of units begin in an HEVC track's configuration, behind their number. */
const LISTS = 23;

/** A track's configuration without what it says to users, where it is HEVC's: it may. Throws if it is cut off. */
export function quietConfiguration(coding: Coding, configuration: Buffer): Buffer {
  if (coding === "avc") return configuration;
  const framing = { coding, lengthBytes: 2 };
  const lists: Buffer[] = [];
  let at = LISTS;
  for (let left = configuration.readUInt8(LISTS - 1); left > 0; left -= 1) {
    const head = Buffer.from(configuration.subarray(at, at + 3));
    const kept: Buffer[] = [];
    at += head.length;
    for (let inside = head.readUInt16BE(1); inside > 0; inside -= 1) {
      const end = at + framing.lengthBytes + configuration.readUInt16BE(at);
      if (end > configuration.length) throw new RangeError("the configuration is cut off");
      const quiet = quietened(configuration.subarray(at + framing.lengthBytes, end), coding);
      if (quiet) kept.push(framed(quiet, framing));
      at = end;
    }
    head.writeUInt16BE(kept.length, 1);
    if (kept.length > 0) lists.push(Buffer.concat([head, ...kept]));
  }
  const head = Buffer.from(configuration.subarray(0, LISTS));
  head.writeUInt8(lists.length, LISTS - 1);
  return Buffer.concat([head, ...lists]);
}
