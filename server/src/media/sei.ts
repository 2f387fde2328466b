/**
 * Removes user data from H.264 and HEVC streams: supplemental enhancement information (SEI) messages of type "user
 * data", in which cameras record place and device. No player shows them.
 */

type Coding = "avc" | "hevc";

/** How a track's packets delimit units: by a length prefix of that many bytes or, if 0, by start codes. */
export interface Framing {
  coding: Coding;
  lengthBytes: number;
}

interface Units {
  headBytes: number;
  typeOf: (first: number) => number;
  /** Types of the units that contain such messages. */
  messages: number[];
  /** A unit without meaning. */
  filler: number[];
  /** The offset of the length prefix's size in the track's configuration. */
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

/** Without a configuration, units are delimited by start codes. */
export function framingOf(coding: Coding, configuration: Buffer | null): Framing {
  return {
    coding,
    lengthBytes: configuration ? (configuration.readUInt8(units[coding].lengthAt) & 3) + 1 : 0,
  };
}

/**
 * The packet without user data; the same bytes if it has none. It never grows, except that a packet with nothing else
 * gets a filler unit, because a packet can't be empty. Unreadable messages are removed too; other units stay unchanged,
 * well-formed or not.
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
    const stripped = strippedUnit(unit, framing.coding);
    if (stripped === unit) continue;
    copy(bytes.subarray(read, at));
    if (stripped) copy(framed(stripped, framing));
    read = end;
  }
  if (read === 0) return packet;
  copy(bytes.subarray(read));
  return out && length > 0
    ? out.subarray(0, length)
    : framed(Buffer.from(units[framing.coding].filler), framing);
}

interface Unit {
  /** The offsets of its length or start code, of its content, and of its end. */
  at: number;
  body: number;
  end: number;
}

/** A unit that claims to be longer than the packet is cut to it. */
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

/** The most bytes of a unit with messages. Real ones are small; larger ones are dropped unread. */
const MAX_UNIT = 2 ** 20;

const USER_DATA = 5;
const STOP = Buffer.from([0x80]);

/** The same unit if it has no user data, otherwise the unit without it, or null if nothing is left. */
function strippedUnit(unit: Buffer, coding: Coding): Buffer | null {
  const { headBytes, typeOf, messages: types } = units[coding];
  if (!unit.length || !types.includes(typeOf(unit.readUInt8(0)))) return unit;
  const plain = unit.length > MAX_UNIT ? null : unescaped(unit);
  const messages = plain && messagesOf(plain.subarray(headBytes));
  const remaining = messages?.filter(({ type }) => type !== USER_DATA).map(({ bytes }) => bytes) ?? [];
  if (remaining.length === messages?.length) return unit;
  if (!plain || remaining.length === 0) return null;
  const stripped = escaped(Buffer.concat([plain.subarray(0, headBytes), ...remaining, STOP]));
  // A malformed unit could grow through escaping; drop it.
  return stripped.length < unit.length ? stripped : null;
}

interface Message {
  type: number;
  /** Including its type and length. */
  bytes: Buffer;
}

/** Null if they are truncated. */
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

/** The end of the last message, before the trailing bits (a 1 and zeros). */
function endOf(body: Buffer): number {
  let end = body.length;
  while (end > 0 && body[end - 1] === 0) end -= 1;
  return body[end - 1] === STOP[0] ? end - 1 : end;
}

/** Reads a number: the sum of bytes of 255 and a smaller last byte. */
function numberAt(body: Buffer, from: number): { value: number; end: number } {
  let [at, value] = [from, 0];
  while (body[at] === 255) {
    value += 255;
    at += 1;
  }
  return { value: value + (body[at] ?? 0), end: at + 1 };
}

/** Removes escapes: a 3 after two zeros, which keeps data from looking like a start code. */
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
  // At most one byte is inserted for every two.
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

/** The offset of the lists of units in an HEVC track's configuration; the byte before is their number. */
const LISTS = 23;

/** A track's configuration without user data, which only HEVC's can contain. Throws if it is truncated. */
export function withoutUserDataInConfig(coding: Coding, configuration: Buffer): Buffer {
  if (coding === "avc") return configuration;
  const framing = { coding, lengthBytes: 2 };
  const lists: Buffer[] = [];
  let at = LISTS;
  for (let left = configuration.readUInt8(LISTS - 1); left > 0; left -= 1) {
    const head = Buffer.from(configuration.subarray(at, at + 3));
    const remaining: Buffer[] = [];
    at += head.length;
    for (let inside = head.readUInt16BE(1); inside > 0; inside -= 1) {
      const end = at + framing.lengthBytes + configuration.readUInt16BE(at);
      if (end > configuration.length) throw new RangeError("The configuration is truncated");
      const stripped = strippedUnit(configuration.subarray(at + framing.lengthBytes, end), coding);
      if (stripped) remaining.push(framed(stripped, framing));
      at = end;
    }
    head.writeUInt16BE(remaining.length, 1);
    if (remaining.length > 0) lists.push(Buffer.concat([head, ...remaining]));
  }
  const head = Buffer.from(configuration.subarray(0, LISTS));
  head.writeUInt8(lists.length, LISTS - 1);
  return Buffer.concat([head, ...lists]);
}
